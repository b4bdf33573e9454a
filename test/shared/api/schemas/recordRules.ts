import { expect, test } from "vitest";
import type * as z from "zod";

/** What the specification's table says of a record, field by field. */
export interface RecordRules {
  schema: z.ZodType;
  /** A record with a value in every field, those that may be absent included. */
  record: Record<string, unknown>;
  /** Fields that may be null. */
  nullable: readonly string[];
  /** Fields that may be absent. */
  optional?: readonly string[];
  /** Values that a field refuses. */
  refused?: Readonly<Record<string, readonly unknown[]>>;
}

/** Tests that a schema takes exactly the records of its table: each field's presence, null and values. */
export function testRecordRules({ schema, record, nullable, optional = [], refused = {} }: RecordRules): void {
  const takes = (value: unknown) => schema.safeParse(value).success;

  test("takes a full record and gives it back", () => {
    expect(schema.parse(record)).toEqual(record);
  });

  test("refuses an unlisted field", () => {
    expect(takes({ ...record, extra: null })).toBe(false);
  });

  test.each(Object.keys(record))("%s: null, absence and another type", (field) => {
    const { [field]: _, ...without } = record;
    expect(takes({ ...record, [field]: null }), "null").toBe(nullable.includes(field));
    expect(takes(without), "absence").toBe(optional.includes(field));
    expect(takes({ ...record, [field]: Symbol.iterator }), "another type").toBe(false);
  });

  test.each(Object.entries(refused))("%s: values out of range", (field, values) => {
    for (const value of values) expect(takes({ ...record, [field]: value }), JSON.stringify(value)).toBe(false);
  });
}
