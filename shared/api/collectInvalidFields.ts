import type * as z from "zod";
import { echo, truncateText } from "./echo.ts";
import type { Fields } from "./errors.ts";
import { isMisplacedSecretName, isSecretName, nameWithoutSecret } from "./secrecy.ts";

/** More failing inputs than any honest request has; a hostile one must not grow its answer without bound. */
const maxInvalidFields = 1000;

/** Where an input stands: the first segment of its name. */
export type InputLocation = "path" | "query" | "header" | "body";

/**
 * The failing inputs of docs/spec.md#error-record, made of Zod's issues.
 *
 * @param place where the input stood, the first segment of every name
 * @param received the input before parsing, from which values are echoed
 * @param secrets as an operation has them
 */
export function collectInvalidFields(
  issues: readonly z.core.$ZodIssue[],
  place: InputLocation,
  received: unknown,
  secrets: readonly string[] = [],
): Fields {
  const fields: Fields = {};
  for (const { path, message, isUnlisted } of issues.flatMap(unlisted).slice(0, maxInvalidFields)) {
    const name = [place, ...path.map((segment) => truncateText(nameWithoutSecret(String(segment))))].join(".");
    const isMisplaced = isUnlisted === true && isMisplacedSecretName(String(path.at(-1)));
    const isSecret = isMisplaced || touchesSecret([place, ...path], secrets);
    const value = isSecret ? {} : echo(valueAt(received, path));
    fields[name] ??= { message, ...value };
  }
  return fields;
}

/**
 * Adds to failing inputs that a handler found what was received for them, which handlers don't see.
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

/** An issue about unlisted fields names each of them. */
const unlisted = (
  issue: z.core.$ZodIssue,
): { path: readonly PropertyKey[]; message: string; isUnlisted?: boolean }[] =>
  issue.code === "unrecognized_keys"
    ? issue.keys
        .slice(0, maxInvalidFields)
        .map((key) => ({ path: [...issue.path, key], message: "is not a field of this request", isUnlisted: true }))
    : [issue];

/** Whether an input is a secret by its name or is below one; or is one of `secrets`, or below or above one of these. */
function touchesSecret(path: readonly PropertyKey[], secrets: readonly string[]): boolean {
  const names = path.map(String);
  const name = names.join(".");
  return (
    names.some(isSecretName) ||
    secrets.some((secret) => `${name}.`.startsWith(`${secret}.`) || secret.startsWith(`${name}.`))
  );
}

/** What stands at a path inside a received value; undefined when there is nothing of its own. */
export const valueAt = (received: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
    received,
  );
