/** Processes each element, with at most `maxConcurrency` at a time. */
export async function forEachConcurrently<Element>(
  maxConcurrency: number,
  elements: readonly Element[],
  work: (element: Element) => Promise<void>,
): Promise<void> {
  // All workers take from one iterator.
  const pending = elements.values();
  const worker = async () => {
    for (const element of pending) await work(element);
  };
  await Promise.all(Array.from({ length: maxConcurrency }, worker));
}
