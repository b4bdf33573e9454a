import type { SchemaElement } from "hyparquet-writer";
import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import { LOCAL_DATE_TIME } from "../../api/patterns.ts";
import { customer } from "../../api/schemas/customer.ts";
import { inventory } from "../../api/schemas/inventory.ts";
import { inventoryLocation } from "../../api/schemas/inventoryLocation.ts";
import { product } from "../../api/schemas/product.ts";
import { sale } from "../../api/schemas/sale.ts";

/** A column of a Parquet file, or a field of a nested column. */
export interface ParquetColumn {
  name: string;
  /** The schema elements of the column, parents before their children. */
  elements: readonly SchemaElement[];
  /** Converts a value of a record's JSON to the value that the writer accepts; null if it is absent or not valid. */
  convert(value: unknown): unknown;
}

/**
 * The schemas of stored records. A stored record has no embedded product. All columns are optional, since records of
 * earlier releases may lack a field.
 */
const recordSchemas: Readonly<Record<RecordKind, z.ZodType>> = {
  customer,
  product,
  location: inventoryLocation,
  inventory: inventory.omit({ product: true }),
  sale,
};

/** The fields whose numbers can have decimals. All other numbers are counts or whole cents (docs/spec.md). */
export const fractionalFields: ReadonlySet<string> = new Set([
  "grams",
  "num_units",
  "pct_amount",
  "percent_amount",
  "price_per_unit",
  "svc_net_weight_grams",
  "thc_mg_per_unit",
  "total_quantity",
  "unit_cost",
]);

const columnsByKind = new Map<RecordKind, readonly ParquetColumn[]>();

/**
 * The columns of a kind's Parquet files, in the order of the description. Whole numbers are INT64, instants and local
 * times are timestamps in milliseconds, days are dates, objects are structs, and arrays are lists.
 */
export function parquetColumns(kind: RecordKind): readonly ParquetColumn[] {
  const known = columnsByKind.get(kind);
  if (known) return known;
  const columns = columnsOf(recordSchemas[kind]);
  columnsByKind.set(kind, columns);
  return columns;
}

/** The schema of a kind's Parquet files. */
export function parquetSchema(kind: RecordKind): SchemaElement[] {
  const columns = parquetColumns(kind);
  return [{ name: "root", num_children: columns.length }, ...columns.flatMap(({ elements }) => elements)];
}

/** The columns of an object. Those of a union are the columns of all its options. */
function columnsOf(schema: z.ZodType): ParquetColumn[] {
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.flatMap((option) => columnsOf(option as z.ZodType));
    return [...new Map(options.map((column) => [column.name, column])).values()];
  }
  if (!(schema instanceof z.ZodObject)) throw new Error("a record must be an object");
  return Object.entries(schema.shape).map(([name, field]) => columnOf(name, field as z.ZodType));
}

const optional = { repetition_type: "OPTIONAL" } as const;

function columnOf(name: string, schema: z.ZodType): ParquetColumn {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return columnOf(name, schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodArray) return listOf(name, columnOf("element", schema.element as z.ZodType));
  if (schema instanceof z.ZodObject) return structOf(name, columnsOf(schema));
  if (schema instanceof z.ZodBoolean) return leaf({ name, type: "BOOLEAN" }, (value) => value);
  if (schema instanceof z.ZodNumber) {
    return fractionalFields.has(name)
      ? leaf({ name, type: "DOUBLE" }, (value) => value)
      : leaf({ name, type: "INT64" }, (value) => BigInt(Math.round(value as number)));
  }
  if (schema instanceof z.ZodISODateTime) return leaf(timestamp(name, true), dateOf);
  if (schema instanceof z.ZodISODate) return leaf({ name, type: "INT32", converted_type: "DATE" }, dateOf);
  if (schema instanceof z.ZodString && isLocalDateTime(schema)) {
    return leaf(timestamp(name, false), (value) => dateOf(`${String(value).replace(" ", "T")}Z`));
  }
  const isText = schema instanceof z.ZodString || schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral;
  if (!isText) throw new Error(`the field ${name} has no Parquet type`);
  return leaf({ name, type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } }, (value) => value);
}

const isLocalDateTime = ({ def }: z.ZodString): boolean =>
  (def.checks ?? []).some((check) => (check._zod.def as { pattern?: RegExp }).pattern === LOCAL_DATE_TIME);

/** @param isAdjustedToUTC false for a local time */
const timestamp = (name: string, isAdjustedToUTC: boolean): SchemaElement => ({
  name,
  type: "INT64",
  ...(isAdjustedToUTC && { converted_type: "TIMESTAMP_MILLIS" }),
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC, unit: "MILLIS" },
});

/** The instant of a text; null if it is none, so that one such record does not fail a whole export. */
function dateOf(value: unknown): Date | null {
  const date = new Date(value as string);
  return Number.isNaN(date.getTime()) ? null : date;
}

const leaf = (element: SchemaElement, convert: (value: unknown) => unknown): ParquetColumn => ({
  name: element.name,
  elements: [{ ...element, ...optional }],
  convert: (value) => (value === null || value === undefined ? null : convert(value)),
});

const structOf = (name: string, fields: readonly ParquetColumn[]): ParquetColumn => ({
  name,
  elements: [{ name, ...optional, num_children: fields.length }, ...fields.flatMap(({ elements }) => elements)],
  convert: (value) => {
    if (value === null || value === undefined) return null;
    const values = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(fields.map((field) => [field.name, field.convert(values[field.name])]));
  },
});

const listOf = (name: string, element: ParquetColumn): ParquetColumn => ({
  name,
  elements: [
    { name, ...optional, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...element.elements,
  ],
  convert: (value) => (Array.isArray(value) ? value.map((one) => element.convert(one)) : null),
});
