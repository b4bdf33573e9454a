import * as z from "zod";
import { utcInstant } from "../conversions/instants.ts";

// What a POS's answer may hold, read leniently: a field may be missing, null, empty or `N/A` (all are null here), a
// number be text, a truth value be text. Only an id must be there, and what has another shape altogether is no such field.

const scalar = z.union([z.string(), z.number()]);

/** Text without blanks around it. */
export const text = scalar.nullish().transform((value) => textOf(value));

/** What tells records apart: text or a number, never empty. */
export const id = scalar.transform((value) => String(value).trim()).pipe(z.string().min(1).max(255));

/** A decimal number as its text, so that no digit is lost before it is converted. Text that is no number is null. */
export const decimal = scalar.nullish().transform((value) => {
  const found = textOf(value);
  return found !== null && isDecimal.test(found) && Number.isFinite(Number(found)) ? found : null;
});

const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** The same as a number, for what is no money. */
export const number = decimal.transform((value) => (value === null ? null : Number(value)));

export const flag = z
  .union([z.boolean(), z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const found = String(value).toLowerCase();
    if (found === "true" || found === "1") return true;
    return found === "false" || found === "0" ? false : null;
  });

/** An instant, ISO 8601 UTC with milliseconds; text that is none is null. */
export const instant = text.transform((value) => utcInstant(value));

/** An instant as milliseconds since 1970, 0 for none: ISO 8601 UTC, and null as `utcInstant` has it. */
export const epochInstant = number.transform((value) =>
  value === null || Math.abs(value) > 8e15 ? null : utcInstant(new Date(value).toISOString()),
);

/** A day, such as of a birth, as milliseconds since 1970 or as text: what `plainDay` reads. */
export const epochDay = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => {
    const milliseconds = Number(value || Number.NaN);
    if (Number.isNaN(milliseconds)) return textOf(value);
    return Math.abs(milliseconds) > 8e15 ? null : new Date(milliseconds).toISOString();
  });

/** The text of an instant, where a record means nothing without it. */
export const instantText = text
  .refine((value) => utcInstant(value) !== null, { error: "no_instant" })
  .transform(String);

/** A list; none is an empty one. */
export function list<T extends z.ZodType>(of: T) {
  return z
    .array(of)
    .nullish()
    .transform((value) => value ?? []);
}

/**
 * Numbers become their shortest text, which has every digit that the POS sent, as far as a double holds them. `N/A` is
 * what Dutchie and Treez write where they mean nothing.
 */
function textOf(value: string | number | null | undefined): string | null {
  const found = String(value ?? "").trim();
  return found === "" || found.toUpperCase() === "N/A" ? null : found;
}
