import { type Clock, utcDay } from "../../time/clock.ts";
import { type Item, itemId, type Table, unchanged } from "../client.ts";
import { entryKeyIn } from "../keys/indexEntries.ts";
import { dayIndexKey, dedicatedIndex, type OrderedList } from "../keys/orderedLists.ts";
import { formatPosition, numberToPosition, parsePosition } from "../keys/positions.ts";
import type { DayIndex } from "./dayIndex.ts";
import { dayIndexItem } from "./dayIndexItems.ts";
import { type Fence, transactFenced } from "./fence.ts";
import { type OrderName, type RecordPositions, readEntriesIn } from "./indexEntries.ts";
import { createOrderState, newestDayIndex, type OrderState } from "./orderState.ts";
import { planMoves } from "./planMoves.ts";
import { maxWrites, type NamingWriter, readIndexCounts, registerDedicatedIndexes } from "./registerDedicatedIndexes.ts";
import type { RecordChange } from "./transactionPlanner.ts";

/** The average number of times that a value is sampled while it gains `maxEntries` entries. */
const samplesPerIndex = 128;

/**
 * Creates a dedicated index for each value that is about to have very many records.
 *
 * Counting the entries of every value would cost too much. So each added entry is sampled with a probability of 128 /
 * `maxEntries`, and only the entries of sampled values are counted. A sampled value that has more than half of
 * `maxEntries` entries gets a dedicated index. While a value grows from half of `maxEntries` to `maxEntries` entries,
 * it is sampled 64 times on average. The probability that it is never sampled is 10^-28.
 *
 * Only the last transaction makes the indexes visible. Every transaction is rejected if another worker has changed the
 * list. The first transaction registers the values as unfinished, so that a removal of the list finds the items of an
 * interrupted attempt.
 *
 * @param ranks the known state of the list's order of updates
 * @returns whether anything was written; the caller must then read the list again
 * @throws the same errors as a transaction of the writer
 */
export async function createDedicatedIndexes(
  table: Table,
  list: OrderedList,
  changes: readonly RecordChange[],
  ranks: OrderState,
  fence: Fence,
  clock: Clock,
): Promise<boolean> {
  const { maxEntries } = list;
  if (maxEntries === undefined) return false;
  const added = new Map<string, number>();
  const sampled = new Set<string>();
  for (const { key, move, dedicatedMove } of changes.flatMap(({ entries }) => entries)) {
    if (move !== "put" || dedicatedMove) continue;
    added.set(key.pk, (added.get(key.pk) ?? 0) + 1);
    if (Math.random() < samplesPerIndex / maxEntries) sampled.add(key.pk);
  }
  const stored = await Promise.all(
    [...sampled].map(async (pk) => ({ pk, entries: await readEntriesIn(table, pk, { consistent: true }) })),
  );
  const frequent = stored.filter(({ pk, entries }) => entries.size + (added.get(pk) ?? 0) > maxEntries / 2);
  if (frequent.length === 0) return false;
  const newest = newestDayIndex(ranks);
  if (newest) {
    const writer = { table, fence, now: clock.now() };
    const created = new Set(frequent.map(({ pk }) => pk));
    const { dedicatedIndexes } = newest;
    const unfinished = new Set(newest.unfinishedIndexes);
    const registered = created.isSubsetOf(unfinished)
      ? ranks
      : await registerDedicatedIndexes(writer, ranks, { unfinishedIndexes: [...unfinished.union(created)] });
    for (const { pk, entries } of frequent) await build(writer, registered, dedicatedIndex(list, pk), entries);
    const starts = Object.fromEntries([...created].map((pk) => [pk, writer.now.getTime()]));
    await registerDedicatedIndexes(writer, registered, {
      dedicatedIndexes: { ...dedicatedIndexes, ...starts },
      unfinishedIndexes: [...unfinished.difference(created)],
    });
  } else {
    // An empty list has no day index. This write creates it; the next attempt registers the dedicated indexes in it.
    const { writes } = planMoves(table, ranks, [{ stays: formatPosition(utcDay(clock.now()), 0) }], clock.now());
    await transactFenced(table, fence, writes);
  }
  return true;
}

/**
 * Allocates positions to the entries of a value and stores the day indexes with their counts. Deletes the counts that
 * an interrupted attempt has left.
 */
async function build(
  { table, fence, now }: NamingWriter,
  ranks: OrderState,
  own: OrderedList,
  entries: ReadonlyMap<string, RecordPositions>,
): Promise<void> {
  const ownRanks = new Map<string, Partial<Record<OrderName, string>>>();
  const dayIndexes: Item[] = [];
  for (const [name, order] of Object.entries(own.orders) as [OrderName, OrderState["order"]][]) {
    const sorted = [...entries].sort(([, a], [, b]) => (a[name] ?? 0) - (b[name] ?? 0));
    const moves = sorted.map(([, places]) => ({ to: parsePosition(numberToPosition(places[name] ?? 0)).day }));
    // `stays` creates a day index even if there are no entries. Later writers then need no special case for the first
    // day index.
    const planned = planMoves(
      table,
      createOrderState(order),
      [...moves, { stays: formatPosition(utcDay(now), 0) }],
      now,
    );
    for (const [i, [id]] of sorted.entries()) ownRanks.set(id, { ...ownRanks.get(id), [name]: planned.ranks[i] });
    dayIndexes.push(...[...planned.next.dayIndexes.values()].map((dayIndex) => dayIndexItem(order, dayIndex)));
  }
  const stored = new Set(dayIndexes.map(itemId));
  const writes = [
    ...(await readIndexCounts(table, own))
      .filter((item) => !stored.has(itemId(item)))
      .map(({ pk, sk }) => table.deleteWrite({ pk, sk })),
    ...dayIndexes.map((item) => table.putWrite(item)),
    ...[...entries].map(([id, places]) => {
      const key = entryKeyIn(own.pk, id);
      return table.putWrite({ ...key, at: places.rank, sale: places.saleRank, ...ownRanks.get(id) });
    }),
  ];
  const newest = newestDayIndex(ranks) as DayIndex;
  const isUnchanged = table.checkWrite(dayIndexKey(ranks.order, newest.year), unchanged("version", newest.version));
  for (let i = 0; i < writes.length; i += maxWrites) {
    await transactFenced(table, fence, [isUnchanged, ...writes.slice(i, i + maxWrites)]);
  }
}
