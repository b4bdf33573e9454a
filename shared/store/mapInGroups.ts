/**
 * Calls `work` for all elements, in groups whose calls run at the same time. Begins a group when the results of the
 * previous group have been used.
 *
 * @returns the results of each group, in the order of the elements
 * @throws the first error of `work`. Other calls of its group continue; no later group begins.
 */
export async function* mapInGroups<Element, Result>(
  elements: readonly Element[],
  groupSize: number,
  work: (element: Element) => Promise<Result>,
): AsyncGenerator<Result[]> {
  for (let i = 0; i < elements.length; i += groupSize) {
    yield await Promise.all(elements.slice(i, i + groupSize).map((element) => work(element)));
  }
}
