import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { TransactionSize } from "../transactionSize.ts";

/**
 * Divides elements into runs. Each run is written in transactions of its own. Elements of one group follow each
 * other, because records that leave the same segment share its bitmap. If there are exactly two groups, each has a run.
 * Three or more groups share one, because such groups are mostly far smaller than a transaction. Elements of the same
 * group, and elements without a group, keep their order.
 *
 * @param groupOf the name of an element's group; the empty name means no group
 */
export function divideByGroup<Element>(
  elements: readonly Element[],
  groupOf: (element: Element) => string,
): Element[][] {
  const groups = [...Map.groupBy(elements, groupOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  const areApart = groups.filter(([name]) => name).length === 2;
  const last = areApart ? groups.pop() : undefined;
  return [groups.flatMap(([, ofGroup]) => ofGroup), last?.[1] ?? []].filter(({ length }) => length > 0);
}

/** Packs independent writes into transactions. */
export function* packWrites(writes: readonly TransactWriteItem[]): Generator<TransactWriteItem[]> {
  let size = new TransactionSize();
  let packed: TransactWriteItem[] = [];
  for (const write of writes) {
    if (!size.add([write])) {
      yield packed;
      packed = [];
      size = new TransactionSize();
      size.add([write]);
    }
    packed.push(write);
  }
  if (packed.length > 0) yield packed;
}
