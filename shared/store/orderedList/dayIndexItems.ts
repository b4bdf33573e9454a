import type { Item, Table } from "../client.ts";
import { dayIndexKey, type ListOrder } from "../keys/orderedLists.ts";
import { retryOnConflict, StaleReadError } from "../retryOnConflict.ts";
import {
  type DayIndex,
  type DedicatedIndexNames,
  hasConsistentYears,
  packDays,
  unpackDays,
  yearOf,
} from "./dayIndex.ts";

/** A transaction changed some of the years while they were read. */
class MixedYearsError extends StaleReadError {
  override readonly name = "MixedYearsError";
}

/** Days (yyyy-MM-dd), both inclusive; open where absent. */
export interface DayWindow {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Reads an order's day indexes of one state, one item a year.
 *
 * By a consistent read wherever pages are counted on them: two pages of one walk must never be counted on states that
 * go back in time, or an unchanged record could be missed between them.
 *
 * @param window days whose years are wanted; all when open
 * @returns oldest first
 * @throws ServiceError "unavailable" when writers keep them from being seen in one state
 */
export async function loadDayIndexes(
  table: Table,
  order: ListOrder,
  window: DayWindow = {},
  options: { consistent: boolean } = { consistent: true },
): Promise<DayIndex[]> {
  const from = yearOf(window.from ?? "0000");
  const to = yearOf(window.to ?? "9999");
  // One item alone is always of one state; with others the newest, which knows of them, must be among them.
  const needsFit = options.consistent && from !== to;
  const input = {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": order.dayIndexPartition, ":from": from, ":to": needsFit ? "9999" : to },
    ConsistentRead: options.consistent,
  };
  return retryOnConflict(table.clock, async () => {
    const items = await table.query(input);
    if (items.some(isBeingRebuilt)) throw new StaleReadError(`${order.dayIndexPartition} is being rebuilt`);
    const dayIndexes = items.map(toDayIndex);
    if (needsFit && !hasConsistentYears(dayIndexes, from)) throw new MixedYearsError(order.dayIndexPartition);
    return dayIndexes.filter(({ year }) => year <= to);
  });
}

/** Reads what an order's newest day index tells of lists of entries, consistently, whether or not the years fit each other. */
export async function loadDedicatedIndexNames(table: Table, order: ListOrder): Promise<DedicatedIndexNames> {
  const items = await table.queryPartition(order.dayIndexPartition, { consistent: true });
  return items.map(toDayIndex).at(-1) ?? {};
}

/** A day index whose list cannot be read or written now, since a rebuild changes it in several transactions. */
const isBeingRebuilt = ({ rebuilding }: Item) => rebuilding !== undefined;

interface DayIndexAttributes {
  version: number;
  changed: number;
  days: Uint8Array;
  others?: Record<string, number>;
  lists?: Record<string, number>;
  unbegun?: string[];
  generation?: number;
}

function toDayIndex(item: Item): DayIndex {
  const { sk: year, version, changed, days, others, lists, unbegun, generation } = item as Item & DayIndexAttributes;
  const names = { dedicatedIndexes: lists, unfinishedIndexes: unbegun, generation };
  return { year, version, changedAt: changed, days: unpackDays(year, days), others, ...names };
}

/** The item of a day index. */
export function dayIndexItem(order: ListOrder, dayIndex: DayIndex): Item {
  const { year, version, changedAt, days, others, dedicatedIndexes: lists, unfinishedIndexes, generation } = dayIndex;
  const names = { lists, unbegun: unfinishedIndexes?.length ? unfinishedIndexes : undefined, generation };
  return { ...dayIndexKey(order, year), version, changed: changedAt, days: packDays(days), others, ...names };
}
