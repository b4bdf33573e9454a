/** Does a piece of work for each of some things, so many of them at a time. */
export async function inLanes<Thing>(
  rateLimitBuckets: number,
  things: readonly Thing[],
  work: (thing: Thing) => Promise<void>,
): Promise<void> {
  // All take from one iterator.
  const left = things.values();
  const rateLimitBucket = async () => {
    for (const thing of left) await work(thing);
  };
  await Promise.all(Array.from({ length: rateLimitBuckets }, rateLimitBucket));
}
