/**
 * Converts decimal dollars to whole cents and rounds half a cent away from zero. The function moves the decimal point
 * in the text instead of multiplying, so 1.005 is 100.5 cents and not 100.49999999999999.
 *
 * @param dollars decimal text, such as `19.995` or `-1.5e1`
 * @returns null for null
 */
export function dollarsToCents(dollars: string | null): number | null {
  return dollars === null ? null : rounded(shifted(dollars, 2));
}

/** Converts decimal dollars to cents with up to four decimals, for unit costs. */
export function dollarsToFineCents(dollars: string | null): number | null {
  return dollars === null ? null : fine(shifted(dollars, 2));
}

/** Rounds an amount in cents to whole cents. */
export function wholeCents(amount: string | null): number | null {
  return amount === null ? null : rounded(Number(amount));
}

/** Rounds to four decimals. */
export function fine(value: number): number {
  return unsigned(shifted(String(rounded(shifted(String(value), 4))), -4));
}

/** Rounds half away from zero. */
function rounded(value: number): number {
  return unsigned(Math.sign(value) * Math.round(Math.abs(value)));
}

/** Parses decimal text with its point moved right by `places`. */
function shifted(text: string, places: number): number {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  return Number(`${mantissa}e${Number(exponent) + places}`);
}

/** Turns -0 into 0, since JSON has no -0. */
function unsigned(value: number): number {
  return value === 0 ? 0 : value;
}

/** The amount if the specification allows it as a price, from 0 to less than 2^31 cents; else null. */
export function price(amount: number | null): number | null {
  return amount !== null && amount >= 0 && amount < 2 ** 31 ? amount : null;
}

export function nullIfNegative(amount: number | null): number | null {
  return amount !== null && amount >= 0 ? amount : null;
}
