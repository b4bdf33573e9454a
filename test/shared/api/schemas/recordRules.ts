import { expect, test } from "vitest";
import type * as z from "zod";

/** The rules of a record's fields, from its table in the specification. */
export interface RecordRules {
  schema: z.ZodType;
  /** A record with a value in every field, optional ones included. */
  record: Record<string, unknown>;
  /** Fields that may be null. */
  nullable: readonly string[];
  /** Fields that may be absent. */
  optional?: readonly string[];
  /** Values that a field rejects. */
  rejected?: Readonly<Record<string, readonly unknown[]>>;
}

/** Tests that a schema accepts exactly the records of its table: each field's presence, null and values. */
export function testRecordRules({ schema, record, nullable, optional = [], rejected = {} }: RecordRules): void {
  const accepts = (value: unknown) => schema.safeParse(value).success;

  test("accepts a full record and returns it unchanged", () => {
    expect(schema.parse(record)).toEqual(record);
  });

  test("rejects an unlisted field", () => {
    expect(accepts({ ...record, extra: null })).toBe(false);
  });

  test.each(Object.keys(record))("%s: null and absence are accepted as listed, another type never", (field) => {
    const { [field]: _, ...without } = record;
    expect(accepts({ ...record, [field]: null }), "null").toBe(nullable.includes(field));
    expect(accepts(without), "absence").toBe(optional.includes(field));
    expect(accepts({ ...record, [field]: Symbol.iterator }), "another type").toBe(false);
  });

  test.each(Object.entries(rejected))("%s: values out of range are rejected", (field, values) => {
    for (const value of values) expect(accepts({ ...record, [field]: value }), JSON.stringify(value)).toBe(false);
  });
}
