import type { Item, Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import type { DayIndex, DedicatedIndexNames } from "./dayIndex.ts";
import { type Fence, transactFenced } from "./fence.ts";
import { newestDayIndex, type OrderState } from "./orderState.ts";
import { planMoves } from "./planMoves.ts";

/** Maximum number of writes in a transaction, in addition to the check of the fence and the check of the version. */
export const maxWrites = 98;

/** The context of a change of a list's dedicated indexes. */
export interface NamingWriter {
  table: Table;
  fence: Fence;
  now: Date;
}

/**
 * Stores the names of the values with dedicated indexes in the list's newest day index. The day index must exist.
 *
 * @param ranks the known state of the list's order of updates
 * @param names the properties of the day index to replace
 * @returns the new state of the order
 * @throws the same errors as a transaction of the writer
 */
export async function registerDedicatedIndexes(
  { table, fence, now }: NamingWriter,
  ranks: OrderState,
  names: DedicatedIndexNames,
): Promise<OrderState> {
  const newest = newestDayIndex(ranks) as DayIndex;
  const dayIndexes = new Map([...ranks.dayIndexes, [newest.year, { ...newest, ...names }]]);
  const { writes, next } = planMoves(table, { ...ranks, dayIndexes }, [], now);
  await transactFenced(table, fence, writes);
  return next;
}

/** Reads the items of a dedicated index other than its entries: day indexes and empty sequence numbers. */
export async function readIndexCounts(table: Table, { orders }: OrderedList): Promise<Item[]> {
  const partitions = Object.values(orders).flatMap(({ dayIndexPartition: dayIndex, slots }) => [dayIndex, slots]);
  return (await Promise.all(partitions.map((pk) => table.queryPartition(pk, { consistent: true })))).flat();
}
