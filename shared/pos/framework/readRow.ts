import type * as z from "zod";
import { PosError, type RejectedPosRecord } from "../connector.ts";
import { observeRow } from "./observer.ts";
import { id } from "./wireFields.ts";

/** A row of a POS's answer as it was read, or why it could not be. */
export type ReadRow<Row> = { row: Row } | { rejected: RejectedPosRecord };

/** Of one list: where more rows cannot be read, the POS answers in another way than is known. */
const maxRejected = 100_000;

/** Adds to what was rejected of a list. @throws PosError "notUnderstood" where that is nearly everything of a long one */
export function addRejected(list: RejectedPosRecord[], rejected: RejectedPosRecord): void {
  if (list.length >= maxRejected) throw new PosError("notUnderstood", { code: "rejected" });
  list.push(rejected);
}

/** Parts rows into those that were read and those that were rejected. */
export function partitionRows<Row>(found: readonly ReadRow<Row>[]): { rows: Row[]; rejected: RejectedPosRecord[] } {
  return {
    rows: found.flatMap((one) => ("row" in one ? [one.row] : [])),
    rejected: found.flatMap((one) => ("rejected" in one ? [one.rejected] : [])),
  };
}

/** What becomes of a row, if it was read. */
export function mapRow<Row, Other>(found: ReadRow<Row>, make: (row: Row) => Other): ReadRow<Other> {
  return "row" in found ? { row: make(found.row) } : found;
}

/** One of a row's fields as an id, if it is one. A path such as `item.facility_id` names a field of an inner object. */
export type IdField = (name: string) => string | null;

/**
 * Reads a row of a POS's answer. One that breaks the shape is rejected with the field and a reason code, never a value.
 *
 * @param posIdOf makes of the row's fields what tells its record apart in the POS, so that one knows what is rejected
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

/** A field as the ids of good rows are read. */
function idIn(value: unknown): string | null {
  return id.safeParse(value).data ?? null;
}

/** The id of a row behind a word, where ids of several lists meet in one kind of records; null without an id. */
export const prefixed =
  (prefix: string, idField: string) =>
  (field: IdField): string | null => {
    const own = field(idField);
    return own === null ? null : `${prefix}-${own}`;
  };
