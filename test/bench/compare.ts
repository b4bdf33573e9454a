import { median } from "./bench.ts";

/** The times of several variants of the same work, measured side by side. */
export interface Comparison<Name extends string> {
  /** Median milliseconds of one call. */
  milliseconds: Record<Name, number>;
  /** The ratio of the times of two variants: the median over the rounds. */
  ratio(of: Name, to: Name): number;
}

/**
 * Times variants of the same work in turns. Each round begins with another variant, so that other load of the machine affects
 * all of them. Ratios compare times of the same round.
 * @param options.calls number of consecutive calls in each turn
 * @param options.warmUp number of uncounted turns of each variant before the first counted one
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
