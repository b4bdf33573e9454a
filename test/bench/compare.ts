import { median } from "./bench.ts";

/** How long the variants of one piece of work take, side by side. */
export interface Comparison<Name extends string> {
  /** Median milliseconds of one call. */
  milliseconds: Record<Name, number>;
  /** How many times as long one takes as the other: the median over the rounds. */
  ratio(of: Name, to: Name): number;
}

/**
 * Times variants of one piece of work in turns, each round beginning with another one, so that whatever else the machine
 * does meanwhile falls on all of them. Ratios are taken within a round, where that was the same for both.
 *
 * @param options.calls one after the other, in each turn
 * @param options.warmUp turns of each before the first that counts
 */
export async function compare<Name extends string>(
  variants: Record<Name, () => Promise<unknown>>,
  options: { rounds: number; calls?: number; warmUp?: number },
): Promise<Comparison<Name>> {
  const { rounds, calls = 1, warmUp = 3 } = options;
  const names = Object.keys(variants) as Name[];
  const turns = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i] of names.entries()) {
      const name = names[(i + round + warmUp) % names.length] as Name;
      const started = performance.now();
      for (let call = 0; call < calls; call++) await variants[name]();
      if (round >= 0) turns[name].push((performance.now() - started) / calls);
    }
  }
  return {
    milliseconds: Object.fromEntries(names.map((name) => [name, median(turns[name])])) as Record<Name, number>,
    ratio: (of, to) => median(turns[of].map((time, round) => time / (turns[to][round] ?? 0))),
  };
}
