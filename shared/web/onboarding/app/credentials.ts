import type { PosCredentialsSchema } from "../../../api/schemas/posCredentialsSchema.ts";
import type { Rejection } from "../../browser/failures.ts";

/** The credentials schema of one POS type. */
export type PosEntry = NonNullable<PosCredentialsSchema[keyof PosCredentialsSchema]>;

/** The text that the visitor typed, by property name. */
export type Typed = Readonly<Record<string, string>>;

/** Problems by property name. `location` and `all` stand for the location and for all credentials. */
export type Problems = Readonly<Record<string, string>>;

/** The names of an entry's properties, with their labels. */
export const labelsOf = ({ pos_credentials_schema: { credentials_properties } }: PosEntry): [string, string][] =>
  Object.entries(credentials_properties).map(([name, { description }]) => [name, description ?? name]);

/** Whether the form hides the value of a property while the visitor types it. */
export const isSecret = (name: string): boolean => /pass|secret|key|token|auth/i.test(name);

/** Turns a message of the service, such as `must not be empty`, into a sentence. */
const sentence = (message: string): string => `This ${message.replace(/\.$/, "")}.`;

/** The problems that the page finds without a request. */
export function problemsOf(entry: PosEntry, typed: Typed): Problems {
  const { credentials_properties, required_properties } = entry.pos_credentials_schema;
  const problems = Object.entries(credentials_properties).flatMap(([name, { type }]) => {
    const text = typed[name]?.trim() ?? "";
    if (text === "") return required_properties.includes(name) ? [[name, "This is required."]] : [];
    return type === "number" && !/^-?\d+(\.\d+)?$/.test(text) ? [[name, "This must be a number."]] : [];
  });
  return Object.fromEntries(problems);
}

/** The credentials in the form that the API operation accepts, without empty properties. */
export function credentialsOf(entry: PosEntry, typed: Typed): Record<string, string | number> {
  const properties = Object.entries(entry.pos_credentials_schema.credentials_properties);
  return Object.fromEntries(
    properties.flatMap(([name, { type }]) => {
      const text = typed[name]?.trim() ?? "";
      return text === "" ? [] : [[name, type === "number" ? Number(text) : text]];
    }),
  );
}

/**
 * The problems that the service or the POS found, as sentences.
 *
 * @param isLocationSent whether the request included a location
 */
export function problemsIn(rejection: Rejection, entry: PosEntry, isLocationSent: boolean): Problems {
  const labels = labelsOf(entry);
  const problems = Object.entries(rejection.fields).map(([field, { message }]) => {
    if (field === "body.location_id") {
      return ["location", isLocationSent ? "This location no longer exists. Please choose another." : ""];
    }
    if (field === "body.pos_credentials") {
      return ["all", `${entry.pos_type} does not accept these credentials. Please check each of them and try again.`];
    }
    const name = field.replace("body.pos_credentials.", "");
    if (!labels.some(([each]) => each === name)) return ["all", `${entry.pos_type} cannot be connected at the moment.`];
    // The service uses property names, but the visitor sees labels.
    const named = labels.reduce((text, [each, label]) => text.replaceAll(` ${each} `, ` “${label}” `), ` ${message} `);
    return [name, sentence(named.trim())];
  });
  return Object.fromEntries(problems);
}
