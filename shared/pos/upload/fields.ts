import * as z from "zod";
import {
  type CellFault,
  cell,
  codeUpTo,
  createFieldError,
  dateText,
  given,
  idUpTo,
  read,
  text,
} from "../../cells/cellFields.ts";
import { isUnixZero } from "../../cells/cellText.ts";
import { instantsOfLocalTime } from "../../time/localTime.ts";
import { statesZone, utcInstant, wallClock } from "../framework/conversions/instants.ts";
import { type AmountUnit, decimalOf, decimalsOf, toCents, toFineCents } from "./amounts.ts";

// The fields of an uploaded row. The sender can correct a file, so the service rejects an invalid value and never guesses
// the intended one.

/** Why a field is rejected; docs/upload/README.md explains each reason. */
// biome-ignore format: a value on each line fills a screen
export const fieldReasons = [
  "required", "wrong_type", "unknown_field", "spreadsheet_error", "too_long", "unreadable_character", "line_break",
  "rounded_number", "changed_to_date", "report_line", "not_a_number", "not_whole_cents", "too_many_decimals",
  "out_of_range", "not_a_date", "not_an_instant", "clock_change", "day_only", "not_true_or_false", "not_listed",
] as const satisfies readonly (CellFault | string)[];

type Reason = (typeof fieldReasons)[number];

/** Text that must not be missing. */
export const needed = text.pipe(z.string(createFieldError()));

/** The id of a record. */
export const id = idUpTo(255).pipe(z.string(createFieldError()));

/** The id of another record, or a number that identifies something: of a telephone, a card, a license, an article. */
export const code = codeUpTo(255);

const readNumber = read("not_a_number", (sent: string | number) => {
  const isNumber = typeof sent === "number" || /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(sent);
  const found = isNumber ? Number(sent) : Number.NaN;
  return Number.isFinite(found) ? found : undefined;
});

const within = (least: number, most: number) =>
  read("out_of_range", (found: number) => (found < least || found > most ? undefined : found));

/** Maximum of a number other than an amount of money, as for connectors (`wireFields.ts`). */
const maxNumber = 2 ** 31 - 1;

/** A decimal number, with a point and nothing between its digits. */
export const number = given.transform(readNumber).transform(within(-maxNumber, maxNumber));

/** A number of at least 0. */
export const amount = number.transform(within(0, Number.POSITIVE_INFINITY));

/** Maximum amount, in cents. The sums of a sales day stay exact with 40,000 such sales. */
const maxCents = 100 * maxNumber;

/** Metadata of the fields that hold money; `moneyPaths` finds them by it. */
const moneyMetadata = { isMoney: true };

/** Field types for money, converted to cents. They reject a value with more decimals than the field can store. */
export function moneyFields(unit: AmountUnit) {
  const decimal = given.transform(read("not_a_number", (sent) => decimalOf(String(sent), unit)));
  // If the unit is cents, even `35.00` is rejected, because it probably means dollars.
  const hasWholeCents = (found: string) => (unit === "dollars" ? decimalsOf(found) <= 2 : !found.includes("."));
  const hasFineCents = (found: string) => decimalsOf(found) <= (unit === "dollars" ? 6 : 4);
  const isSafe = (found: number) => Math.abs(found) <= Number.MAX_SAFE_INTEGER;

  /** Whole cents; may be negative. */
  const cents = decimal
    .transform(read("not_whole_cents", (found) => (hasWholeCents(found) ? toCents(found, unit) : undefined)))
    .transform(within(-maxCents, maxCents))
    .meta(moneyMetadata);
  /** Price of one unit in cents, with up to four decimals; may be negative. */
  const unitPrice = decimal
    .transform(read("too_many_decimals", (found) => (hasFineCents(found) ? toFineCents(found, unit) : undefined)))
    .transform(read("out_of_range", (found) => (isSafe(found) ? found : undefined)))
    .meta(moneyMetadata);
  return {
    cents,
    /** Whole cents from 0 to 2^31 - 1. */
    price: cents.transform(within(0, maxNumber)),
    unitPrice,
    /** Unit price of at least 0. */
    unitCost: unitPrice.transform(within(0, Number.POSITIVE_INFINITY)),
  };
}

/** A decimal number that is stored as text, without a fraction of zeros. */
export const decimalText = text
  .transform(read("not_a_number", (found) => (/^-?\d+(\.\d+)?$/.test(found) ? found.replace(/\.0+$/, "") : undefined)))
  .transform(read("out_of_range", (found) => (Math.abs(Number(found)) > maxNumber ? undefined : found)));

/**
 * A day and time, ISO 8601 or `M/d/yyyy H:mm` with or without AM and PM. Without a time zone it is the local time of the
 * business. Rejects a local time that occurs twice or never, because the clock is set back or forward.
 */
export const instant = (timezone: string) =>
  dateText.transform((found, context) => {
    if (found === null) return null;
    const iso = fromAmerican(found);
    const local = wallClock(iso);
    const instants = local === null ? [] : statesZone(iso) ? [utcInstant(iso)] : instantsOfLocalTime(local, timezone);
    const [one] = instants;
    if (iso.length >= 10 && isUnixZero(iso.slice(0, 10))) return null;
    if (instants.length === 1 && one) return one;
    const isDuringChange = local !== null && !statesZone(iso);
    context.addIssue({ code: "custom", message: isDuringChange ? "clock_change" : "not_an_instant" });
    return z.NEVER;
  });

/** The time of day that a value states together with a time zone, by the clock of that zone; undefined for any other value. */
export function zonedTimeOfDay(value: unknown): string | undefined {
  const iso = fromAmerican(dateText.safeParse(value).data ?? "");
  return statesZone(iso) ? wallClock(iso)?.slice(11) : undefined;
}

const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2})(:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:\s*([AP])\.?M\.?)?$/i;
const padded = (digits: string) => digits.padStart(2, "0");

/** Converts `3/1/2026 6:30 PM` to `2026-03-01 18:30`; returns any other text as it is. */
function fromAmerican(found: string): string {
  const [, month = "", date = "", year, hour = "", rest, half] = american.exec(found) ?? [];
  if (year === undefined || (half && (Number(hour) < 1 || Number(hour) > 12))) return found;
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === "P" ? 12 : 0) : hour;
  return `${year}-${padded(month)}-${padded(date)} ${padded(String(hours))}${rest}`;
}

export const flag = cell([z.boolean(), z.string(), z.number()]).transform(
  read("not_true_or_false", (sent) => flags.get(String(sent).toLowerCase().replace(/\.0+$/, ""))),
);

const flags = new Map([
  ...["true", "yes", "1"].map((name) => [name, true] as const),
  ...["false", "no", "0"].map((name) => [name, false] as const),
]);

/** One of a list of values, in any letter case. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  text.transform(read("not_listed", (found) => values.find((value) => value.toLowerCase() === found.toLowerCase())));

/** An object that has only these fields. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code }): Reason => (code === "unrecognized_keys" ? "unknown_field" : "wrong_type"),
  });
}

/** A list; empty if missing. The entry numbers in the column names may have gaps. */
export function list<Element extends z.ZodType>(element: Element) {
  return z
    .array(element.optional(), createFieldError())
    .nullish()
    .transform((elements) => (elements ?? []).filter((one) => one !== undefined));
}
