/** The elements in groups of a size; the last group can be smaller. */
export const groupsOf = <Element>(elements: readonly Element[], size: number): Element[][] =>
  Array.from({ length: Math.ceil(elements.length / size) }, (_, i) => elements.slice(i * size, (i + 1) * size));

/**
 * Calls `work` for the elements of a group at once, and yields the results in their order. Begins a group when the
 * results of the previous one have been used, and none after an error of `work`, which it throws.
 */
export async function* mapInGroups<Element, Result>(
  elements: readonly Element[],
  groupSize: number,
  work: (element: Element) => Promise<Result>,
): AsyncGenerator<Result[]> {
  for (const group of groupsOf(elements, groupSize)) yield await Promise.all(group.map((element) => work(element)));
}
