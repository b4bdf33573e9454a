import * as z from "zod";
import { isEmptyCell } from "../../cells/cellText.ts";

// A file of comma-separated values has a column for each field. The column of a nested field has the names of both
// fields: `customer.dob`. The column of a field in a list also has the number of the list entry, counted from 1:
// `payments.2.type`.

/** The paths of all fields that a record can have. `*` stands for the number of a list entry: `payments.*.type`. */
export function fieldPaths(schema: z.ZodType): string[] {
  return leavesOf(schema).map(({ path }) => path);
}

/** The paths of the fields that hold money. */
export function moneyPaths(schema: z.ZodType): string[] {
  return leavesOf(schema).flatMap(({ path, isMoney }) => (isMoney ? [path] : []));
}

/** The last part of the path of each field that holds money. No field without money has one of these names. */
export function moneyNames(schema: z.ZodType): Set<string> {
  return new Set(moneyPaths(schema).map((path) => path.replace(/^.*\./, "")));
}

interface Leaf {
  path: string;
  isMoney: boolean;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function leavesOf(schema: z.ZodType): Leaf[] {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return [...leaves(described, "", described.$defs ?? {})];
}

/** @param named the schemas with an id, which other schemas refer to */
function* leaves(schema: JsonSchema, path: string, named: Readonly<Record<string, JsonSchema>>): Generator<Leaf> {
  const resolved = (form: JsonSchema) => named[form.$ref?.replace("#/$defs/", "") ?? ""] ?? form;
  const forms = [schema, ...(schema.anyOf ?? [])].map((form) => resolved(form as JsonSchema));
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  const fields = forms.find(({ properties }) => properties)?.properties;
  const entries = forms.find(({ items }) => items)?.items;
  if (fields)
    for (const [name, field] of Object.entries(fields)) yield* leaves(field as JsonSchema, below(name), named);
  else if (entries) yield* leaves(entries as JsonSchema, below("*"), named);
  else yield { path, isMoney: forms.some(({ isMoney }) => isMoney === true) };
}

/** The fields that every record must have. */
export function listRequiredFields(schema: z.ZodType): string[] {
  const { error } = schema.safeParse({});
  return error?.issues.map(({ path }) => path.join(".")) ?? [];
}

/** Builds a record from a row's values by column, without empty cells, and lists and objects of only such. */
export function nested(values: Readonly<Record<string, string>>): object {
  const record = {};
  for (const [column, value] of Object.entries(values)) {
    if (column === "" || isEmptyCell(value)) continue;
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
