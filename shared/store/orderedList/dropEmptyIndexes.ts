import type { Clock } from "../../time/clock.ts";
import type { Table } from "../client.ts";
import { dedicatedIndex, type OrderedList } from "../keys/orderedLists.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import { type Fence, transactFenced } from "./fence.ts";
import { loadOrderState, newestDayIndex } from "./orderState.ts";
import { maxWrites, readIndexCounts, registerDedicatedIndexes } from "./registerDedicatedIndexes.ts";

/**
 * Removes the dedicated indexes of values that no record has any more. Their day indexes would still disclose the days
 * on which records had the value. If a call is interrupted, another call finishes the work.
 *
 * @throws the same errors as a transaction of the writer
 */
export async function dropEmptyIndexes(table: Table, list: OrderedList, fence: Fence, clock: Clock): Promise<void> {
  await retryOnConflict(clock, async () => {
    const ranks = await loadOrderState(table, list.orders.rank);
    const { dedicatedIndexes = {}, unfinishedIndexes = [] } = newestDayIndex(ranks) ?? {};
    const registered = [...Object.keys(dedicatedIndexes), ...unfinishedIndexes];
    const checked = await Promise.all(registered.map(async (pk) => ({ pk, isEmpty: await isEmpty(table, pk) })));
    const empty = new Set(checked.filter((one) => one.isEmpty).map(({ pk }) => pk));
    if (empty.size === 0) return;
    const writer = { table, fence, now: clock.now() };
    const unfinished = new Set(unfinishedIndexes);
    // The removed indexes stay registered as unfinished until all their items are deleted.
    const after = await registerDedicatedIndexes(writer, ranks, {
      dedicatedIndexes: Object.fromEntries(Object.entries(dedicatedIndexes).filter(([pk]) => !empty.has(pk))),
      unfinishedIndexes: [...unfinished.union(empty)],
    });
    const counts = await Promise.all([...empty].map((pk) => readIndexCounts(table, dedicatedIndex(list, pk))));
    const deletes = counts.flat().map(({ pk, sk }) => table.deleteWrite({ pk, sk }));
    for (let i = 0; i < deletes.length; i += maxWrites) {
      await transactFenced(table, fence, deletes.slice(i, i + maxWrites));
    }
    await registerDedicatedIndexes(writer, after, { unfinishedIndexes: [...unfinished.difference(empty)] });
  });
}

async function isEmpty(table: Table, pk: string): Promise<boolean> {
  const items = await table.queryRaw({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: pk } },
    ConsistentRead: true,
    Limit: 1,
  });
  return items.length === 0;
}
