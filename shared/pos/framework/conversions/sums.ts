import { isSameSum, knownSum, sum } from "../../../money/sums.ts";

/** The sum of discounts, taxes or fees. */
export const flatSum = (parts: readonly { flat_amount: number | null }[]): number =>
  sum(parts.map(({ flat_amount }) => flat_amount));

/** A total without some parts of it; null if an amount is unknown. */
export function subtract(total: number | null, parts: readonly (number | null)[]): number | null {
  const off = knownSum(parts);
  return total === null || off === null ? null : total - off;
}

/** One reading of ambiguous amounts, such as a subtotal that may be before or after discounts. */
export interface AmountReading {
  /** sum of the amounts in this reading, in cents */
  total: number;
}

/**
 * Chooses the reading of a POS's amounts with the total nearest to the expected one. If several readings have the same
 * total, the first one is chosen.
 *
 * @param expected in cents; null if unknown
 * @param amounts number of rounded amounts in the sums
 * @returns null if `expected` is null, if the nearest total differs by more than rounding, or if two different totals
 * are equally near. The caller then rejects the record instead of guessing
 */
export function chooseReading<Reading extends AmountReading>(
  readings: readonly Reading[],
  expected: number | null,
  amounts = 0,
): Reading | null {
  if (expected === null) return null;
  const distanceOf = ({ total }: Reading) => Math.abs(total - expected);
  const fitting = readings.filter(({ total }) => isSameSum(total, expected, amounts));
  const [best, ...others] = fitting.sort((one, other) => distanceOf(one) - distanceOf(other));
  if (!best) return null;
  const isAmbiguous = others.some((other) => other.total !== best.total && distanceOf(other) === distanceOf(best));
  return isAmbiguous ? null : best;
}
