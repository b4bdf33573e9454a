import { InvalidArgumentError } from "@commander-js/extra-typings";

/**
 * The seeds for a program: one seed, several from it on, or several from 1 on.
 *
 * @param count number of seeds; by default 200, or 1 if a seed is given
 */
export function seedRange(seed?: number, count?: number): { first: number; last: number } {
  const first = seed ?? 1;
  return { first, last: first + (count ?? (seed === undefined ? 200 : 1)) - 1 };
}

/** Parses an option: a whole number above 0. */
export function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number <= 0) throw new InvalidArgumentError("It must be a whole number above 0.");
  return number;
}
