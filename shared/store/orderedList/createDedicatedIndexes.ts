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

/** How often the entries of a value are counted while as many are added as it may have without a list of its own. */
const counts = 128;

/**
 * Gives a list of its own to each value that is about to have many records. Nobody counts the records of every value: of
 * what is added one in some dozens, at random, has all of its value counted. From half of the most that a value may have
 * without a list, it is counted some 64 times until it had more; that none of them falls on it has a chance of 10^-28.
 *
 * All that it writes counts only by its last transaction, and is refused when anybody has changed the list meanwhile. Its
 * first one names the lists, so that what is left where it is cut off is found by whoever removes the list.
 *
 * @param ranks what is known of the list's order of updates
 * @returns whether it has written anything, so that nothing is known of the list any more
 * @throws as a writer's transaction does
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
  const counted = new Set<string>();
  for (const { key, dedicatedMove: own } of changes.flatMap(({ entries }) =>
    entries.filter(({ move }) => move === "put"),
  )) {
    if (own) continue;
    added.set(key.pk, (added.get(key.pk) ?? 0) + 1);
    if (Math.random() < counts / maxEntries) counted.add(key.pk);
  }
  const found = await Promise.all(
    [...counted].map(async (pk) => ({ pk, entries: await readEntriesIn(table, pk, { consistent: true }) })),
  );
  const many = found.filter(({ pk, entries }) => entries.size + (added.get(pk) ?? 0) > maxEntries / 2);
  if (many.length === 0) return false;
  const newest = newestDayIndex(ranks);
  if (newest) {
    const writer = { table, fence, now: clock.now() };
    const given = new Set(many.map(({ pk }) => pk));
    const { dedicatedIndexes, unfinishedIndexes } = newest;
    const unbegun = new Set(unfinishedIndexes);
    const isNamed = given.isSubsetOf(unbegun);
    const named = isNamed
      ? ranks
      : await registerDedicatedIndexes(writer, ranks, { unfinishedIndexes: [...unbegun.union(given)] });
    for (const { pk, entries } of many) await build(writer, named, dedicatedIndex(list, pk), entries);
    const begun = Object.fromEntries([...given].map((pk) => [pk, writer.now.getTime()]));
    await registerDedicatedIndexes(writer, named, {
      dedicatedIndexes: { ...dedicatedIndexes, ...begun },
      unfinishedIndexes: [...unbegun.difference(given)],
    });
  } else {
    // A list that has nothing yet gets its first day index, to tell it in.
    const { writes } = planMoves(table, ranks, [{ stays: formatPosition(utcDay(clock.now()), 0) }], clock.now());
    await transactFenced(table, fence, writes);
  }
  return true;
}

/** Gives entries their own ranks, and stores the day indexes that count them: of what an attempt has left nothing stays. */
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
    // A list that has a day index, if nothing else, needs no care when it begins.
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
