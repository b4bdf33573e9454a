import { maxUnitsPerPartition, type SizedItem, TransactionSize } from "../transactionSize.ts";

/**
 * The items that an element adds to a transaction, and the name of its group. Elements of one group share items; the
 * empty name means no group.
 */
export interface Cost {
  items: readonly SizedItem[];
  group: string;
}

interface Batch<Element> {
  elements: Element[];
  /** maximum write units that the batch takes from one partition key */
  units: number;
}

/**
 * Packs elements into transactions. Elements of one group follow each other, because records that leave the same
 * segment share its bitmap. If there are exactly two groups, a transaction has elements of one group only. Three or
 * more groups share transactions, because such groups are mostly far smaller than a transaction. Elements of the same
 * group, and elements without a group, keep their order.
 *
 * @param maxUnits returns the write units that a transaction may take from one partition key; called for each
 *   transaction
 */
export function* packTransactions<Element>(
  elements: readonly Element[],
  costOf: (element: Element) => Cost,
  maxUnits: () => number = () => maxUnitsPerPartition,
): Generator<Batch<Element>, void> {
  const groups = Map.groupBy(
    elements.map((element) => ({ element, cost: costOf(element) })),
    ({ cost }) => cost.group,
  );
  const names = [...groups.keys()].sort();
  const areApart = names.filter(Boolean).length === 2;
  let batch: Element[] = [];
  let size = new TransactionSize(maxUnits());
  let last: string | undefined;
  for (const { element, cost } of names.flatMap((name) => groups.get(name) ?? [])) {
    const ends = areApart && last && cost.group !== last;
    if (ends || !size.add(cost.items)) {
      yield { elements: batch, units: size.units };
      batch = [];
      size = new TransactionSize(maxUnits());
      size.add(cost.items);
    }
    batch.push(element);
    last = cost.group;
  }
  if (batch.length > 0) yield { elements: batch, units: size.units };
}
