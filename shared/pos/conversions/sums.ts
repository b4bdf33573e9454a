/** Cents by which two sums may differ through rounding, besides half a cent for each amount that was added up. */
const tolerance = 2;

/**
 * Whether two sums in cents agree but for rounding.
 *
 * @param amounts how many rounded amounts were added up
 */
export function isSameSum(one: number, other: number, amounts = 0): boolean {
  return Math.abs(one - other) <= tolerance + amounts / 2;
}

/** One way to read amounts of a POS that can be read in several ways. */
export interface AmountReading {
  /** what the amounts come to when they are read this way, in cents */
  total: number;
}

/**
 * Decides which reading of a POS's amounts adds up: the one that comes nearest to what the amounts must come to. Of
 * readings with the same total the first one counts.
 *
 * @param expected in cents
 * @param amounts how many rounded amounts were added up
 * @returns null where no reading adds up, or where two with different totals come equally near: the caller then rejects the
 * record instead of guessing
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
