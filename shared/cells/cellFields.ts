import * as z from "zod";
import { parseRegisterDate } from "../time/parseRegisterDate.ts";
import {
  hasLineBreak,
  isAbsentDate,
  isEmptyCell,
  isReadable,
  isReportLine,
  isRounded,
  isSpreadsheetDate,
  isSpreadsheetError,
  isUnixZero,
  plainCode,
  trimCell,
} from "./cellText.ts";

// The fields of a row in a file: the text of a cell, or a JSON value. Uploads and the import of license registers read
// their files by these fields alone, so both have the same checks. An empty, null or missing value is null.

/** Why a cell is rejected. */
export type CellFault =
  | "required"
  | "wrong_type"
  | "spreadsheet_error"
  | "too_long"
  | "unreadable_character"
  | "line_break"
  | "rounded_number"
  | "changed_to_date"
  | "report_line"
  | "not_a_date"
  | "not_an_instant";

/** Rejects a value of the wrong type with a reason, and a missing value with `required`. */
export const createFieldError = <Reason extends string = CellFault>(reason: Reason | CellFault = "wrong_type") => ({
  error: ({ input }: { input?: unknown }): Reason | CellFault =>
    input === undefined || input === null ? "required" : reason,
});

/** Converts a value that is not null. Rejects it with a reason if the conversion returns undefined. */
export const read =
  <From, To, Reason extends string = CellFault>(reason: Reason, convert: (value: From) => To | undefined) =>
  (value: From | null, context: z.RefinementCtx): To | null => {
    if (value === null) return null;
    const found = convert(value);
    if (found !== undefined) return found;
    context.addIssue({ code: "custom", message: reason });
    return z.NEVER;
  };

/** Rejects a value that is not null and fails a check. */
const check = <Value>(reason: CellFault, isValid: (value: Value) => boolean) =>
  read<Value, Value>(reason, (value) => (isValid(value) ? value : undefined));

/** A value of one of the given types, text without blanks around it; null if the cell is empty. */
export const cell = <Type extends z.ZodType<string | number | boolean>>(types: readonly Type[]) =>
  z
    .union(types, createFieldError())
    .nullish()
    .transform((sent) => (isEmptyCell(String(sent ?? "")) ? null : (sent ?? null)))
    .transform((sent) => (typeof sent === "string" ? trimCell(sent) : sent))
    .transform(check("spreadsheet_error", (sent) => !isSpreadsheetError(String(sent))));

/** Text or a number. */
export const given = cell([z.string(), z.number()]);

/** Text of at most `max` characters, with line breaks. */
const textUpTo = (max: number) =>
  given
    .transform(
      check("rounded_number", (sent) =>
        typeof sent === "number" ? !Number.isInteger(sent) || Number.isSafeInteger(sent) : !isRounded(sent),
      ),
    )
    .transform(read("too_long", (sent) => (String(sent).length > max ? undefined : String(sent))))
    .transform(check("unreadable_character", isReadable));

/** Text of at most 10,000 characters, with line breaks. */
export const text = textUpTo(10_000);

/** Text of at most `max` characters in one line. */
export const lineUpTo = (max: number) => textUpTo(max).transform(check("line_break", (found) => !hasLineBreak(found)));

/** Text that identifies something outside the file: an id, a number of a card, a license or a telephone, a postal code. */
export const codeUpTo = (max: number) =>
  lineUpTo(max)
    .transform(check("changed_to_date", (found) => !isSpreadsheetDate(found)))
    .transform(read("rounded_number", plainCode))
    .transform((found) => found || null);

/** The id of the record in the row. Rejects the lines of totals and other lines of a report. */
export const idUpTo = (max: number) => codeUpTo(max).transform(check("report_line", (found) => !isReportLine(found)));

/** Text of a date or a time; null if it stands for a missing one. An apostrophe marks digits as text. */
export const dateText = lineUpTo(255)
  .transform((found) => found?.replace(/^'(?=\d)/, "") ?? null)
  .transform((found) => (found === null || isAbsentDate(found) ? null : found));

/** A day, as `yyyy-MM-dd` or as `M/d/yyyy`, the format that spreadsheets use in the United States. */
export const birthDay = dateText.transform(read("not_a_date", parseRegisterDate));

/** The day of a document or an event. */
export const day = birthDay.transform((found) => (found === null || isUnixZero(found) ? null : found));
