/** Limits of TransactWriteItems (DynamoDB developer guide), less room for the lease, and for keys and names. */
const mostItems = 99;
const mostBytes = 3.5 * 1024 * 1024;

/** What an element brings into a transaction: the items it touches, its size, and what it is best packed beside. */
interface Cost {
  ids: string[];
  bytes: number;
  group: string;
}

/**
 * Packs elements into transactions. Those of one group come together: records that leave the same chapter share its
 * bitmap. Elements of the empty group keep their order.
 */
export function packTransactions<Element>(
  elements: readonly Element[],
  costOf: (element: Element) => Cost,
): Element[][] {
  const costs = elements.map((element) => ({ element, cost: costOf(element) }));
  costs.sort((a, b) => (a.cost.group < b.cost.group ? -1 : a.cost.group > b.cost.group ? 1 : 0));
  const batches: Element[][] = [];
  let items = new Set<string>();
  let bytes = 0;
  for (const { element, cost } of costs) {
    const added = cost.ids.filter((id) => !items.has(id)).length;
    if (batches.length === 0 || items.size + added > mostItems || bytes + cost.bytes > mostBytes) {
      batches.push([]);
      items = new Set();
      bytes = 0;
    }
    batches.at(-1)?.push(element);
    for (const id of cost.ids) items.add(id);
    bytes += cost.bytes;
  }
  return batches;
}
