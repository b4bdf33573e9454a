import type { Item, Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import type { DayIndex, DedicatedIndexNames } from "./dayIndex.ts";
import { type Fence, transactFenced } from "./fence.ts";
import { newestDayIndex, type OrderState } from "./orderState.ts";
import { planMoves } from "./planMoves.ts";

/** Limit of a transaction, less the fence and the version check. */
export const maxWrites = 98;

/** The context of a change of a list's dedicated indexes. */
export interface NamingWriter {
  table: Table;
  fence: Fence;
  now: Date;
}

/**
 * Stores in a list's newest day index, which must exist, which values have dedicated indexes.
 *
 * @param ranks the known state of the list's order of updates
 * @param names the properties to change
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
