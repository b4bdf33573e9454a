import type * as z from "zod";
import { echo, truncateText } from "./echo.ts";
import type { Fields } from "./errors.ts";
import { isMisplacedSecretName, isSecretName, nameWithoutSecret } from "./secrecy.ts";

/** Honest requests have fewer failing inputs. The limit bounds the response to a hostile request. */
const maxInvalidFields = 1000;

/** The part of a request that contains an input: the first segment of the input's name. */
export type InputLocation = "path" | "query" | "header" | "body";

/**
 * Converts Zod's issues to the failing inputs of docs/spec.md#error-record.
 *
 * @param place the first segment of every name
 * @param received the input before parsing, from which values are echoed
 * @param options `secrets`: those of the operation; `unlistedMessage`: the message for an input that the schema lacks
 */
export function collectInvalidFields(
  issues: readonly z.core.$ZodIssue[],
  place: InputLocation,
  received: unknown,
  {
    secrets = [],
    unlistedMessage = () => "is not a field of this request",
  }: { secrets?: readonly string[]; unlistedMessage?: (name: string) => string } = {},
): Fields {
  const fields: Fields = {};
  const failures = issues.flatMap((issue) => splitUnlisted(issue, unlistedMessage));
  for (const { path, message, isUnlisted } of failures.slice(0, maxInvalidFields)) {
    const name = [place, ...path.map((segment) => truncateText(nameWithoutSecret(String(segment))))].join(".");
    const isMisplaced = isUnlisted === true && isMisplacedSecretName(String(path.at(-1)));
    // A misspelled name hides that the value is personal.
    const isUnknown = isUnlisted === true && place === "query";
    const isSecret = isMisplaced || isUnknown || touchesSecret([place, ...path], secrets);
    const value = isSecret ? {} : echo(valueAt(received, path));
    fields[name] ??= { message, ...value };
  }
  return fields;
}

/**
 * Adds the received values to failing inputs that a handler found, since handlers see only parsed values.
 *
 * @param received the whole input by place, before parsing
 */
export function addReceivedValues(
  fields: Fields,
  received: Record<InputLocation, unknown>,
  secrets: readonly string[] = [],
): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const path = name.split(".");
      const value = touchesSecret(path, secrets) ? {} : echo(valueAt(received, path));
      return [name, { ...field, ...value }];
    }),
  );
}

type Failure = { path: readonly PropertyKey[]; message: string; isUnlisted?: boolean };

/** Splits an issue about unlisted inputs into one for each input. */
const splitUnlisted = (issue: z.core.$ZodIssue, messageOf: (name: string) => string): Failure[] =>
  issue.code === "unrecognized_keys"
    ? issue.keys
        .slice(0, maxInvalidFields)
        .map((key) => ({ path: [...issue.path, key], message: messageOf(key), isUnlisted: true }))
    : [issue];

/** Whether an input or an ancestor of it has a secret name, or the input is, contains or is inside one of `secrets`. */
function touchesSecret(path: readonly PropertyKey[], secrets: readonly string[]): boolean {
  const names = path.map(String);
  const name = names.join(".");
  return (
    names.some(isSecretName) ||
    secrets.some((secret) => `${name}.`.startsWith(`${secret}.`) || secret.startsWith(`${name}.`))
  );
}

/** The value at a path inside a received value; undefined if it is missing or inherited. */
export const valueAt = (received: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
    received,
  );
