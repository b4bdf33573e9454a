import { hash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** A random source that gives the same numbers for the same seed, in every process. */
export interface Dice {
  /** a whole number from the first bound to the last, both included */
  between(from: number, to: number): number;
  /** true in this percentage of cases */
  percent(chance: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  digits(count: number): string;
}

/** Dice for one subject, such as `dice(crbId, "customer", 17)`, independent of those of other subjects. */
export function dice(...place: readonly (string | number)[]): Dice {
  const seed = hash("sha256", place.join("/"), "buffer");
  const source = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => seed.readInt32LE(offset)));
  const between = (from: number, to: number) => uniformInt(source, from, to);
  return {
    between,
    percent: (chance) => between(1, 100) <= chance,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(""),
  };
}
