import * as z from "zod";

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
 * @returns why the file cannot be taken, if it cannot. It shows no column: without a line of names that is a row of data
 */
export function readHeader(schema: z.ZodType, header: readonly string[]): { columns: string[]; fault?: string } {
  const known = new Set(fieldPaths(schema));
  const columns = header.map((name) => name.trim().toLowerCase());
  const isKnown = (name: string) => known.has(name.replaceAll(entryNumber, ".*")) && !name.includes("*");
  const strange = columns.findIndex((name) => !isKnown(name));
  if (strange >= 0) return { columns, fault: `has a column ${strange + 1} that is named after no field` };
  const twice = columns.findIndex((name, i) => columns.indexOf(name) < i);
  if (twice >= 0) return { columns, fault: `has a column ${twice + 1} that is named like one before it` };
  const missing = neededFields(schema).filter((name) => !columns.includes(name));
  return missing.length > 0 ? { columns, fault: `has no column ${missing.join(" and no column ")}` } : { columns };
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
