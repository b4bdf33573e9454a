import { dollarsToCents, dollarsToFineCents, fine, wholeCents } from "../framework/conversions/cents.ts";

/** Units of the amounts of money in a file. */
export const amountUnits = ["dollars", "cents"] as const;

export type AmountUnit = (typeof amountUnits)[number];

/**
 * Names the feature by which an amount of money looks like dollars, such as `a decimal point`. Returns undefined if the
 * amount has no such feature.
 *
 * @param amount text, or a number from JSON
 */
export function dollarSignOf(amount: unknown): string | undefined {
  const text = typeof amount === "number" ? String(amount) : amount;
  if (typeof text !== "string" || !/\d/.test(text)) return undefined;
  if (/\p{Sc}/u.test(text)) return "a currency sign";
  if (text.includes(".")) return "a decimal point";
  return /,|\d[\s'’]\d{3}/.test(text) ? "a thousands separator" : undefined;
}

/** Longer text is not an amount. Without the limit, long text would slow down the regular expressions below. */
const maxLength = 40;

/**
 * The decimal number in an amount of money: `-1035.50` for `-$1,035.50`, `($1,035.50)` and `$(1,035.50)`.
 *
 * @returns undefined for anything else, and for an amount in cents with a dollar sign
 */
export function decimalOf(amount: string, unit: AmountUnit): string | undefined {
  const text = amount.trim();
  if (text.length > maxLength) return undefined;
  // Accountants write negative amounts in parentheses.
  const signed = text.replace(/^(\$?)\s*\(([^()]*)\)$/, "-$1$2");
  const [, first = "", dollar, second = "", whole = "", fraction = ""] =
    /^([+-]?)\s*(\$?)\s*([+-]?)\s*(\d{1,3}(?:,\d{3})+|\d*)(\.\d*)?\s*$/.exec(signed) ?? [];
  const isAmount = /\d/.test(whole + fraction) && !(first && second);
  if (!isAmount || (dollar && unit === "cents")) return undefined;
  return `${first + second === "-" ? "-" : ""}${whole.replaceAll(",", "")}${fraction}`;
}

/** Number of decimals of a decimal number, without trailing zeros: 1 for `12.50`. */
export function decimalsOf(decimal: string): number {
  return /\.(\d*?)0*$/.exec(decimal)?.[1]?.length ?? 0;
}

/** Converts a decimal number to whole cents. It must have no more decimals than its unit allows. */
export function toCents(decimal: string, unit: AmountUnit): number {
  return (unit === "dollars" ? dollarsToCents(decimal) : wholeCents(decimal)) ?? 0;
}

/** Converts a decimal number to cents with up to four decimals. */
export function toFineCents(decimal: string, unit: AmountUnit): number {
  return (unit === "dollars" ? dollarsToFineCents(decimal) : fine(Number(decimal))) ?? 0;
}
