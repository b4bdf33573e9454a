import * as z from "zod";
import { nameOfKind, type RecordKind, recordKinds } from "../../kinds.ts";
import type { UploadedRecords } from "./uploadedRecords.ts";

// A file of comma-separated values has a column for each field. A field inside another is named with both, such as
// `customer.dob`; one inside a list with the number of the entry, from 1: `payments.2.type`.

/** Every field that a record can have, by its path, `*` standing for the entries of a list: `payments.*.type`. */
export function fieldPaths(schema: z.ZodType): string[] {
  return [...leaves(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), "")];
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function* leaves(schema: JsonSchema, path: string): Generator<string> {
  const forms = [schema, ...(schema.anyOf ?? [])] as JsonSchema[];
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  const fields = forms.find(({ properties }) => properties)?.properties;
  const entries = forms.find(({ items }) => items)?.items;
  if (fields) for (const [name, field] of Object.entries(fields)) yield* leaves(field as JsonSchema, below(name));
  else if (entries) yield* leaves(entries as JsonSchema, below("*"));
  else yield path;
}

/** The fields without which no record can be made. */
export function neededFields(schema: z.ZodType): string[] {
  const { error } = schema.safeParse({});
  return error?.issues.map(({ path }) => path.join(".")) ?? [];
}

/**
 * The columns that a file's first line names, in any letter case.
 *
 * @param kind of the records that the file is to hold
 * @returns why the file cannot be taken, if it cannot. It shows no column that is no field of any kind: without a line of
 * names that is a row of data
 */
export function readHeader(
  schemas: UploadedRecords,
  kind: RecordKind,
  header: readonly string[],
): { columns: string[]; fault?: string } {
  const schema = schemas[kind];
  const columns = header.map((name) => name.trim().toLowerCase());
  const isKnown = fieldsOf(schema);
  if (!columns.every(isKnown)) return { columns, fault: strangeColumns(schemas, kind, columns) };
  const twice = columns.findIndex((name, i) => columns.indexOf(name) < i);
  if (twice >= 0) return { columns, fault: `has a column ${twice + 1} that is named like one before it` };
  const missing = neededFields(schema).filter((name) => !columns.includes(name));
  return missing.length > 0 ? { columns, fault: `has no column ${missing.join(" and no column ")}` } : { columns };
}

/** Whether a column is named after a field of a record. */
function fieldsOf(schema: z.ZodType): (column: string) => boolean {
  const known = new Set(fieldPaths(schema));
  return (name) => known.has(name.replaceAll(entryNumber, ".*")) && !name.includes("*");
}

/** More columns than these are only counted. */
const mostNamed = 10;

/** Tells which columns are no field of a kind, each with its place, and of which kind all of them are. */
function strangeColumns(schemas: UploadedRecords, kind: RecordKind, columns: readonly string[]): string {
  const isKnown = fieldsOf(schemas[kind]);
  const others = recordKinds
    .filter((other) => other !== kind)
    .map((other) => ({ kind: other, isKnown: fieldsOf(schemas[other]) }));
  const strange = columns.flatMap((name, i) => {
    if (isKnown(name)) return [];
    return others.some((other) => other.isKnown(name)) ? [`${name} (${i + 1})`] : [`column ${i + 1}`];
  });
  const more = strange.length > mostNamed ? ` and ${strange.length - mostNamed} more` : "";
  const meant = others.find((other) => columns.every(other.isKnown));
  const question = meant ? `. Is this a file of ${nameOfKind(meant.kind)}?` : "";
  return `has columns that are no field of ${kind}: ${strange.slice(0, mostNamed).join(", ")}${more}${question}`;
}

/** The number of a list's entry within a column's name: 1 to 999. */
const entryNumber = /\.[1-9]\d{0,2}(?=\.)/g;

/** The values of a row by column, as the record they make. Empty cells are left out, and what is made of them alone. */
export function nested(values: Readonly<Record<string, string>>): object {
  const record = {};
  for (const [column, value] of Object.entries(values)) {
    if (value.trim() === "") continue;
    const path = column.split(".");
    const last = path.pop() ?? "";
    let place: Record<string, unknown> = record;
    path.forEach((name, i) => {
      const inside = path[i + 1] ?? last;
      const key = keyOf(name);
      place[key] ??= isNumber(inside) ? [] : {};
      place = place[key] as Record<string, unknown>;
    });
    place[keyOf(last)] = value;
  }
  return record;
}

const isNumber = (name: string) => /^\d+$/.test(name);
const keyOf = (name: string) => (isNumber(name) ? String(Number(name) - 1) : name);
