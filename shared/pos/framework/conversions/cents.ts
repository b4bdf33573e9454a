/**
 * Dollars as the POS writes them, in whole cents, half a cent away from zero. Nothing is calculated in dollars: the
 * decimal point is moved in the text, so 1.005 is 100.5 cents and not 100.49999999999999.
 *
 * @param dollars decimal text, such as `19.995` or `-1.5e1`
 * @returns null for null
 */
export function dollarsToCents(dollars: string | null): number | null {
  return dollars === null ? null : rounded(shifted(dollars, 2));
}

/** The same with up to four decimals of a cent, for what one unit costs. */
export function dollarsToFineCents(dollars: string | null): number | null {
  return dollars === null ? null : fine(shifted(dollars, 2));
}

/** An amount that is in cents already, as whole cents. */
export function wholeCents(amount: string | null): number | null {
  return amount === null ? null : rounded(Number(amount));
}

/** A number with at most four decimals. */
export function fine(value: number): number {
  return unsigned(shifted(String(rounded(shifted(String(value), 4))), -4));
}

/** Half away from zero. */
function rounded(value: number): number {
  return unsigned(Math.sign(value) * Math.round(Math.abs(value)));
}

/** The number that a decimal text is when its point stands so many places further right. */
function shifted(text: string, places: number): number {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  return Number(`${mantissa}e${Number(exponent) + places}`);
}

/** 0 for -0, which JSON does not know. */
function unsigned(value: number): number {
  return value === 0 ? 0 : value;
}

/** As the specification has a price: whole cents from 0 to what 32 bits hold; null for anything else. */
export function price(amount: number | null): number | null {
  return amount !== null && amount >= 0 && amount < 2 ** 31 ? amount : null;
}

/** An amount from 0; null for anything else. */
export function nullIfNegative(amount: number | null): number | null {
  return amount !== null && amount >= 0 ? amount : null;
}

/** The sum of amounts in cents; what is null counts nothing. */
export function sum(amounts: readonly (number | null)[]): number {
  return amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
}
