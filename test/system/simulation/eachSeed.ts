/** Runs several concurrently, since each mostly waits for the engine. */
const atOnce = 4;

/** Runs some work for every seed from first to last. Starts no more after a failure or once `isOver` is true. */
export async function eachSeed(
  { first, last }: { first: number; last: number },
  work: (seed: number) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  let next = first;
  const worker = async () => {
    while (next <= last && !isOver()) {
      await work(next++).catch((error) => {
        next = last + 1;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Adds the counts of a history, and of its defenses, to those of others. */
export function addCounts(
  sums: Record<string, number>,
  history: { wrong: string[]; defenses?: Readonly<Record<string, number>> },
): void {
  for (const [name, count] of Object.entries({ ...history, ...history.defenses }))
    if (typeof count === "number") sums[name] = (sums[name] ?? 0) + count;
}
