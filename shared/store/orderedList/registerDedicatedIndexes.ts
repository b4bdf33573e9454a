import type { Item, Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import type { DayIndex, DedicatedIndexNames } from "./dayIndex.ts";
import { type Fence, transactFenced } from "./fence.ts";
import { newestDayIndex, type OrderState } from "./orderState.ts";
import { planMoves } from "./planMoves.ts";

/** Limit of a transaction, less the fence and the check of the version. */
export const maxWrites = 98;

/** Who changes which values have lists of their own. */
export interface NamingWriter {
  table: Table;
  fence: Fence;
  now: Date;
}

/**
 * Tells in the newest day index of a list, which there must be, which values have lists of their own.
 *
 * @param ranks what is known of the list's order of updates
 * @param names what becomes another
 * @returns what is true of the order from then on
 * @throws as a writer's transaction does
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

/** What is stored of a value's dedicated index beside the entries: its day indexes and empty slots. */
export async function readIndexCounts(table: Table, { orders }: OrderedList): Promise<Item[]> {
  const partitions = Object.values(orders).flatMap(({ dayIndexPartition: dayIndex, slots }) => [dayIndex, slots]);
  return (await Promise.all(partitions.map((pk) => table.queryPartition(pk, { consistent: true })))).flat();
}
