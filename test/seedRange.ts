/**
 * The seeds that a program is asked for: one, some from it on, or some from 1 on.
 *
 * @param count how many; without it 200, or the one that is given
 * @returns undefined where one of them is no whole number above 0
 */
export function seedRange(seed?: string, count?: string): { first: number; last: number } | undefined {
  const [first, seeds] = [Number(seed ?? 1), Number(count ?? (seed === undefined ? 200 : 1))];
  if (![first, seeds].every((number) => Number.isInteger(number) && number > 0)) return undefined;
  return { first, last: first + seeds - 1 };
}
