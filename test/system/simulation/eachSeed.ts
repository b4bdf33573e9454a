/** Several go on side by side, since each waits for the engine most of the time. */
const atOnce = 4;

/**
 * Does some work for every seed from first to last. As soon as it fails for one, or `isOver` is true, no further ones are
 * begun.
 */
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
