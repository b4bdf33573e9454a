/** Formats cents as dollars. @param digits digits after the point: 0 for whole dollars */
export const dollars = (cents: number, digits: 0 | 2 = 2): string =>
  (cents / 100)
    .toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .replace("-", "−");

/** The same with the currency's sign. */
export const inDollars = (cents: number, digits: 0 | 2 = 2): string =>
  cents < 0 ? `−$${dollars(-cents, digits)}` : `$${dollars(cents, digits)}`;

/** A range of cents in words; one value if both are equal. */
export const rangeInDollars = (low: number, high: number, digits: 0 | 2 = 2): string =>
  low === high ? inDollars(low, digits) : `${inDollars(low, digits)} to ${inDollars(high, digits)}`;
