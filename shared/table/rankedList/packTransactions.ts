/**
 * Limits of TransactWriteItems (DynamoDB developer guide: 100 items, 4 MB), less room for the fence, for what is dropped of
 * days that are over, and for keys and names.
 */
const mostItems = 88;
const mostBytes = 3.5 * 1024 * 1024;

/** What an element brings into a transaction: the items it touches, its size, and what it is best packed beside. */
interface Cost {
  ids: string[];
  bytes: number;
  group: string;
}

/**
 * Packs elements into transactions. Those of one group come together: records that leave the same chapter share its
 * bitmap. Of two groups each has its own transactions. More of them share, since most of a scattered page's groups are far
 * smaller than a transaction. Within a group, and in the empty one, elements keep their order.
 */
export function packTransactions<Element>(
  elements: readonly Element[],
  costOf: (element: Element) => Cost,
): Element[][] {
  const groups = Map.groupBy(
    elements.map((element) => ({ element, cost: costOf(element) })),
    ({ cost }) => cost.group,
  );
  const names = [...groups.keys()].sort();
  const areApart = names.filter(Boolean).length === 2;
  const batches: Element[][] = [];
  let items = new Set<string>();
  let bytes = 0;
  let last: string | undefined;
  for (const { element, cost } of names.flatMap((name) => groups.get(name) ?? [])) {
    const added = cost.ids.filter((id) => !items.has(id)).length;
    const isFull = items.size + added > mostItems || bytes + cost.bytes > mostBytes;
    const ends = areApart && last && cost.group !== last;
    if (batches.length === 0 || isFull || ends) {
      batches.push([]);
      items = new Set();
      bytes = 0;
    }
    batches.at(-1)?.push(element);
    for (const id of cost.ids) items.add(id);
    bytes += cost.bytes;
    last = cost.group;
  }
  return batches;
}
