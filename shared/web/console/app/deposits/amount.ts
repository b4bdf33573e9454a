/** Largest amount in cents that the API accepts (shared/api/schemas/deposit.ts). */
const maxCents = 1e10;

const plain = /^\d+(?:\.(\d*))?$|^\.(\d+)$/;
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.(\d*))?$/;

/**
 * Reads an amount in dollars as cents, digit by digit: a floating-point number would lose cents.
 *
 * Accepts commas between thousands, a dollar sign, and a minus before or after, or parentheses, for what left the account.
 * @returns undefined if the text is no such amount, has parts of a cent, or is too large
 */
export function parseCents(text: string): number | undefined {
  let digits = text.trim().replaceAll("\u2212", "-");
  const inParentheses = /^(\$?)\(([^()]*)\)$/.exec(digits);
  if (inParentheses) digits = inParentheses[2] ?? "";
  const [, before = "", dollar = "", inner = "", rest = "", after = ""] =
    /^([+-]?)\s*(\$?)\s*([+-]?)\s*([\d.,]+)\s*(-?)$/.exec(digits) ?? [];
  const signs = [before, inner, after].filter(Boolean);
  if (signs.length > (inParentheses ? 0 : 1) || (inParentheses?.[1] && dollar)) return undefined;
  if (!plain.test(rest) && !grouped.test(rest)) return undefined;
  const [whole = "", fraction = ""] = rest.replaceAll(",", "").split(".");
  if (!/^\d{0,2}0*$/.test(fraction) || whole.length > 13) return undefined;
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
  if (cents > maxCents) return undefined;
  const isNegative = inParentheses !== null || signs[0] === "-";
  return isNegative && cents > 0 ? -cents : cents;
}
