import * as z from "zod";
import { isPlaceholderDate, plainDay, utcInstant } from "./conversions/instants.ts";

// Field readers for the responses of POS systems. They are lenient about form: a field may be missing, null, empty or
// `N/A` (all become null), a number may be text, a flag may be text. They are strict about facts: an unreadable amount
// or a value out of bounds rejects the row, because null would hide the error.

/** Maximum length of a name, address line or code. */
const maxTextLength = 1_000;
/** Maximum length of a description or image address. */
const maxLongTextLength = 10_000;
/** Maximum of an amount or quantity in the POS's own unit: 32 bits, or 21 million dollars in cents. */
const maxNumber = 2 ** 31 - 1;

const scalar = z.union([z.string(), z.number()]);

/** Text without surrounding whitespace; control characters become spaces. */
export const text = textUpTo(maxTextLength, /\p{Cc}+/gu);

/** Text for descriptions and web addresses. It may be longer than `text`, and its line breaks stay. */
export const longText = textUpTo(maxLongTextLength, /(?![\t\n\r])\p{Cc}+/gu);

/** The address of an image; null if it cannot be stored, because the product is useful without it. */
export const imageUrl = longText.catch(null);

/** An id of a record, text or number: 1 to 255 characters without control characters. */
export const id = scalar
  .refine(isExact, { error: "rounded_number" })
  .transform((value) => plainText(value) ?? "")
  .pipe(
    z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\p{Cc}\p{Cs}]+$/u, { error: "unreadable_character" }),
  );

/** An amount as decimal text in the POS's own unit, so that no digit is lost. Commas may separate thousands. */
export const money = scalar.nullish().transform((value, context) => {
  const found = plainText(value);
  if (found === null) return null;
  const amount = decimalText(found);
  if (amount !== null && Math.abs(Number(amount)) <= maxNumber) return amount;
  context.addIssue({ code: "custom", message: amount === null ? "not_a_number" : "out_of_range" });
  return z.NEVER;
});

/** A decimal number as text without exponent, such as loyalty points; null if it is not a number or out of bounds. */
export const decimal = scalar.nullish().transform((value) => {
  const amount = decimalText(plainText(value) ?? "");
  if (amount === null || Math.abs(Number(amount)) > maxNumber) return null;
  // "1e3", "+5", ".5" and "5." are numbers, too. Rests of computations, such as 5.6e-17, are 0.
  return /^-?\d+(\.\d+)?$/.test(amount) ? amount : String(Number(Number(amount).toFixed(6)) || 0);
});

/** A quantity, weight, count or rate. Text that is not a number becomes null. A number out of bounds rejects the row. */
export const number = scalar.nullish().transform((value, context) => {
  const amount = decimalText(plainText(value) ?? "");
  if (amount === null) return null;
  if (Math.abs(Number(amount)) <= maxNumber) return Number(amount);
  context.addIssue({ code: "custom", message: "out_of_range" });
  return z.NEVER;
});

const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const isGrouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/;

/** The decimal number in a text, without thousands separators; null if there is none. */
function decimalText(found: string): string | null {
  const amount = isGrouped.test(found) ? found.replaceAll(",", "") : found;
  return isDecimal.test(amount) ? amount : null;
}

const flagSource = z.union([z.boolean(), z.string(), z.number()]).nullish();

/** A boolean, as JSON or as text. Other text becomes null. */
export const flag = flagSource.transform((value) => flagIn(value));

/** A flag that decides the meaning of a record, such as whether a sale is void. Text that is not a flag rejects the row. */
export const statusFlag = flagSource.transform((value, context) => {
  const found = flagIn(value);
  const isUnknown = found === null && plainText(typeof value === "boolean" ? null : value) !== null;
  if (!isUnknown) return found;
  context.addIssue({ code: "custom", message: "unknown_status" });
  return z.NEVER;
});

/**
 * A date whose presence decides the meaning of a record, such as when a sale was voided. Returns the day, yyyy-MM-dd. A missing
 * date and a placeholder for it become null. Text that begins with no date rejects the row.
 */
export const statusDay = text.transform((value, context) => {
  if (value === null || isPlaceholderDate(value)) return null;
  const day = plainDay(value);
  if (day !== null) return day;
  context.addIssue({ code: "custom", message: "unknown_status" });
  return z.NEVER;
});

function flagIn(value: string | number | boolean | null | undefined): boolean | null {
  const found = String(value).toLowerCase();
  if (found === "true" || found === "1") return true;
  return found === "false" || found === "0" ? false : null;
}

/** An instant, converted to ISO 8601 UTC with milliseconds. Text that is not an instant becomes null. */
export const instant = text.transform((value) => utcInstant(value));

/** Converts milliseconds since 1970 to ISO 8601 UTC; null as in `utcInstant`, so for 0, a missing value. */
export const epochInstant = scalar.nullish().transform((value) => {
  const milliseconds = Number(decimalText(plainText(value) ?? "") ?? Number.NaN);
  return Math.abs(milliseconds) <= 8e15 ? utcInstant(new Date(milliseconds).toISOString()) : null;
});

/** A day, such as a date of birth, as milliseconds since 1970 or as text. Returns text for `plainDay`. */
export const epochDay = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => {
    const found = plainText(value);
    const milliseconds = Number(decimalText(found ?? "") ?? Number.NaN) || Number.NaN;
    if (Number.isNaN(milliseconds)) return found;
    return Math.abs(milliseconds) > 8e15 ? null : new Date(milliseconds).toISOString();
  });

/** The text of an instant. A row without a valid instant is rejected, because its record would be useless. */
export const instantText = text
  .refine((value) => utcInstant(value) !== null, { error: "no_instant" })
  .transform(String);

/** Fields of an object that are read in the same way: `...fields(text, "city", "state")`. */
export const fields = <Field extends z.ZodType, const Name extends string>(field: Field, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>;

/** An object whose fields may be missing. A missing object becomes an empty one. */
export const optional = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .partial()
    .nullish()
    .transform((value) => (value ?? {}) as Partial<z.output<z.ZodObject<Shape>>>);

/** The text in a field of an object; null if the object is missing. */
export const textIn = <const Name extends string>(name: Name) =>
  z
    .object(fields(text, name))
    .nullish()
    .transform((value) => (value as Partial<Record<Name, string | null>> | null | undefined)?.[name] ?? null);

/** An object whose keys may have capitals. The keys of `shape` have none. */
export const anyCase = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => {
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
  }, z.object(shape));

/** A list. A missing list becomes an empty one. */
export function list<T extends z.ZodType>(of: T) {
  return z
    .array(of)
    .nullish()
    .transform((value) => value ?? []);
}

/** A list; null if it is missing. For lists that decide an amount: an empty one says that there is nothing. */
export function statedList<T extends z.ZodType>(of: T) {
  return z
    .array(of)
    .nullish()
    .transform((value) => value ?? null);
}

function textUpTo(maxLength: number, unreadable: RegExp) {
  return scalar
    .nullish()
    .refine(isExact, { error: "rounded_number" })
    .transform((value) => plainText(value)?.toWellFormed().replace(unreadable, " ").trim() || null)
    .refine((found) => found === null || found.length <= maxLength, { error: "too_long" });
}

/** Whether a number has the digits that were sent. JSON numbers beyond 2^53 are rounded, so that two ids can become one. */
function isExact(value: string | number | null | undefined): boolean {
  return typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value);
}

/** Trimmed text; null if empty or `N/A`, as some POS systems write. Numbers become their shortest exact text. */
function plainText(value: string | number | null | undefined): string | null {
  const found = String(value ?? "").trim();
  return found === "" || found.toUpperCase() === "N/A" ? null : found;
}
