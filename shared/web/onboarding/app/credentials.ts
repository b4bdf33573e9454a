import type { PosCredentialsSchema } from "../../../api/schemas/posCredentialsSchema.ts";
import type { Rejection } from "./failures.ts";
import { sentence } from "./words.ts";

/** What one POS type asks for. */
export type PosEntry = NonNullable<PosCredentialsSchema[keyof PosCredentialsSchema]>;

/** What was typed, by the names of properties. */
export type Typed = Readonly<Record<string, string>>;

/** What is wrong, by the names of properties; `location` and `all` stand for the location and all credentials. */
export type Problems = Readonly<Record<string, string>>;

/** The names of an entry's properties with what each is called. */
export const labelsOf = ({ pos_credentials_schema: { credentials_properties } }: PosEntry): [string, string][] =>
  Object.entries(credentials_properties).map(([name, { description }]) => [name, description ?? name]);

/** Whether a property is better not shown while it is typed. */
export const isSecret = (name: string): boolean => /pass|secret|key|token|auth/i.test(name);

/** What can be told to be wrong without asking. */
export function problemsOf(entry: PosEntry, typed: Typed): Problems {
  const { credentials_properties, required_properties } = entry.pos_credentials_schema;
  const problems = Object.entries(credentials_properties).flatMap(([name, { type }]) => {
    const text = typed[name]?.trim() ?? "";
    if (text === "") return required_properties.includes(name) ? [[name, "This is needed."]] : [];
    return type === "number" && !/^-?\d+(\.\d+)?$/.test(text) ? [[name, "This must be a number."]] : [];
  });
  return Object.fromEntries(problems);
}

/** The credentials as the operation takes them: what was left empty stays out. */
export function credentialsOf(entry: PosEntry, typed: Typed): Record<string, string | number> {
  const properties = Object.entries(entry.pos_credentials_schema.credentials_properties);
  return Object.fromEntries(
    properties.flatMap(([name, { type }]) => {
      const text = typed[name]?.trim() ?? "";
      return text === "" ? [] : [[name, type === "number" ? Number(text) : text]];
    }),
  );
}

/** What the service or the POS found wrong, in words. @param isLocationSent whether one had been chosen */
export function problemsIn(rejection: Rejection, entry: PosEntry, isLocationSent: boolean): Problems {
  const labels = labelsOf(entry);
  const problems = Object.entries(rejection.fields).map(([field, { message }]) => {
    if (field === "body.location_id") {
      return ["location", isLocationSent ? "This location is not there any more. Please choose another." : ""];
    }
    if (field === "body.pos_credentials") {
      return ["all", `${entry.pos_type} refuses these credentials. Please check each of them and try again.`];
    }
    const name = field.replace("body.pos_credentials.", "");
    if (!labels.some(([each]) => each === name)) return ["all", `${entry.pos_type} cannot be connected at present.`];
    // The service names properties; who types knows their labels.
    const named = labels.reduce((text, [each, label]) => text.replaceAll(` ${each} `, ` “${label}” `), ` ${message} `);
    return [name, sentence(named.trim())];
  });
  return Object.fromEntries(problems);
}
