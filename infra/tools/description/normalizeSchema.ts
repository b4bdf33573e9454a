import { isDeepStrictEqual } from "node:util";
import type { Schema } from "./schema.ts";

/**
 * A schema with one way to write what JSON Schema lets be written in two: release 1.0.0 has one of them, of which not every
 * generator makes a client that compiles, and later releases have the other. Both take exactly the same values.
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
