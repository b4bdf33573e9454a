/** Sums amounts; null counts as 0. */
export function sum(amounts: readonly (number | null)[]): number {
  return amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
}

/** Sums amounts; null if one of them is unknown. */
export function knownSum(amounts: readonly (number | null)[]): number | null {
  return amounts.includes(null) ? null : sum(amounts);
}

/** Allowed rounding difference of two sums, in cents. For each added amount, a further half cent is allowed. */
const tolerance = 2;

/**
 * Whether two sums in cents are equal except for rounding.
 *
 * @param amounts number of rounded amounts in the sums
 */
export function isSameSum(one: number, other: number, amounts = 0): boolean {
  return Math.abs(one - other) <= tolerance + amounts / 2;
}
