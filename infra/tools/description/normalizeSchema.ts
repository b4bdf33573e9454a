import { isDeepStrictEqual } from "node:util";
import type { Schema } from "./schema.ts";

/**
 * Rewrites a schema to one of two equivalent notations. From the notation of the preview, some generators make
 * clients that do not compile. Later releases use the notation in the right column below.
 *
 * | As it is written | As it is compared |
 * |---|---|
 * | `type: boolean` with `not: { const: false }` | `type: boolean` with `const: true` |
 * | within `not`, `false` as the schema of a property: it is never there | `not: {}` |
 */
export function normalizeSchema(schema: Schema): Schema {
  if (!("not" in schema)) return schema;
  const { not, ...rest } = schema;
  if (schema.type === "boolean" && isDeepStrictEqual(not, { const: false })) return { ...rest, const: true };
  return { ...rest, not: withoutFalse(not) };
}

const withoutFalse = (not: unknown): unknown =>
  JSON.parse(JSON.stringify(not), (key, value) =>
    key === "properties"
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, one === false ? { not: {} } : one]))
      : value,
  );
