import type * as z from "zod";
import { PosError, type RejectedPosRecord } from "../connector.ts";
import { observeRow } from "./observer.ts";
import { id } from "./wireFields.ts";

/** A parsed row of a POS's response, or its rejection. */
export type ReadRow<Row> = { row: Row } | { rejected: RejectedPosRecord };

/** Maximum number of rejected rows per list. If more rows are rejected, the format of the POS has probably changed. */
const maxRejected = 100_000;

/**
 * Adds a rejection to a list.
 *
 * @throws PosError "notUnderstood" if the list already has the maximum number of rejections
 */
export function addRejected(list: RejectedPosRecord[], rejected: RejectedPosRecord): void {
  if (list.length >= maxRejected) throw new PosError("notUnderstood", { code: "rejected" });
  list.push(rejected);
}

/** Parses rows, converts them with `make`, and separates them from the rejected ones. */
export function readRows<Row, Made = Row>(
  schema: z.ZodType<Row>,
  rows: readonly unknown[],
  posIdOf: PosIdOf,
  make = (row: Row) => row as unknown as Made,
): { rows: Made[]; rejected: RejectedPosRecord[] } {
  return partitionRows(rows.map((row) => mapRow(readRow(schema, row, posIdOf), make)));
}

/** Separates parsed rows from rejected ones. */
export function partitionRows<Row>(found: readonly ReadRow<Row>[]): { rows: Row[]; rejected: RejectedPosRecord[] } {
  return {
    rows: found.flatMap((one) => ("row" in one ? [one.row] : [])),
    rejected: found.flatMap((one) => ("rejected" in one ? [one.rejected] : [])),
  };
}

/** Maps a parsed row. Returns a rejected row unchanged. */
export function mapRow<Row, Other>(found: ReadRow<Row>, make: (row: Row) => Other): ReadRow<Other> {
  return "row" in found ? { row: make(found.row) } : found;
}

/** Reads a field of a row as an id, or null. A path such as `item.facility_id` names a nested field. */
export type IdField = (name: string) => string | null;

/** The field with the POS id of a row's record, or a function that derives the id from the row's fields. */
export type PosIdOf = string | ((field: IdField) => string | null);

/** Reads the POS id of a row's record; null if the row has no id. */
export function posIdIn(row: unknown, posIdOf: PosIdOf): string | null {
  const field = idFieldsOf(row);
  return typeof posIdOf === "string" ? field(posIdOf) : posIdOf(field);
}

/**
 * Parses a row of a POS's response. A row that breaks the schema is rejected with the field and a reason code, never a value.
 *
 * @param posIdOf identifies a rejected row
 */
export function readRow<Row>(schema: z.ZodType<Row>, value: unknown, posIdOf: PosIdOf): ReadRow<Row> {
  const read = schema.safeParse(value);
  observeRow(value, read.data);
  if (read.success) return { row: read.data };
  const [issue] = read.error.issues;
  return {
    rejected: {
      posId: posIdIn(value, posIdOf) ?? "",
      field: issue?.path.join(".") ?? "",
      reason: issue?.code === "custom" ? issue.message : (issue?.code ?? "unknown"),
    },
  };
}

/** Looks up ids in the fields of an unparsed row, in the same way as the schemas. */
export function idFieldsOf(row: unknown): IdField {
  return (name) => id.safeParse(fieldIn(row, name) ?? name.split(".").reduce(fieldIn, row)).data ?? null;
}

function fieldIn(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** The id of a row with a prefix, which distinguishes equal ids of several lists; null without an id. */
export const prefixed =
  (prefix: string, idField: string) =>
  (field: IdField): string | null => {
    const own = field(idField);
    return own === null ? null : `${prefix}${own}`;
  };
