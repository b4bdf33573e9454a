import { InvalidArgumentError } from "@commander-js/extra-typings";

/**
 * The seeds that a program is asked for: one, some from it on, or some from 1 on.
 *
 * @param count how many; without it 200, or the one that is given
 */
export function seedRange(seed?: number, count?: number): { first: number; last: number } {
  const first = seed ?? 1;
  return { first, last: first + (count ?? (seed === undefined ? 200 : 1)) - 1 };
}

/** Takes an option that is a whole number above 0. */
export function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number <= 0) throw new InvalidArgumentError("It must be a whole number above 0.");
  return number;
}
