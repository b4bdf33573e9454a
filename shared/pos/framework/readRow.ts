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

/**
 * Reads a field of a row as an id; null if the field holds no id. A path such as `item.facility_id` names a nested
 * field.
 */
export type IdField = (name: string) => string | null;

/**
 * Parses a row of a POS's response. A row that breaks the schema is rejected with the field and a reason code, never a value.
 *
 * @param posIdOf derives the record's POS id from the row's fields, to identify a rejected row
 */
export function readRow<Row>(
  schema: z.ZodType<Row>,
  value: unknown,
  posIdOf: (field: IdField) => string | null,
): ReadRow<Row> {
  const read = schema.safeParse(value);
  observeRow(value, read.data);
  if (read.success) return { row: read.data };
  const [issue] = read.error.issues;
  return {
    rejected: {
      posId: posIdOf(idFieldsOf(value)) ?? "",
      field: issue?.path.join(".") ?? "",
      reason: issue?.code === "custom" ? issue.message : (issue?.code ?? "unknown"),
    },
  };
}

/** Looks up ids in the fields of an unparsed row. */
export function idFieldsOf(row: unknown): IdField {
  return (name) => idIn(fieldIn(row, name) ?? name.split(".").reduce(fieldIn, row));
}

function fieldIn(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** Reads a value as an id, in the same way as the schemas. */
function idIn(value: unknown): string | null {
  return id.safeParse(value).data ?? null;
}

/**
 * The id of a row with a prefix; null if the row has no id. Prefixes distinguish equal ids of several lists whose rows
 * become one kind of records.
 */
export const prefixed =
  (prefix: string, idField: string) =>
  (field: IdField): string | null => {
    const own = field(idField);
    return own === null ? null : `${prefix}-${own}`;
  };
