import type { Item, Table } from "../client.ts";
import { dayIndexKey, type ListOrder } from "../keys/orderedLists.ts";
import { packDigest, unpackDigest } from "../recordDigest.ts";
import { retryOnConflict, StaleReadError } from "../retryOnConflict.ts";
import { type DayIndex, hasConsistentYears, packDays, unpackDays, yearOf } from "./dayIndex.ts";

/** A transaction changed some of the years while they were read. The caller must read again. */
class MixedYearsError extends StaleReadError {
  override readonly name = "MixedYearsError";
}

/** Days (yyyy-MM-dd), both inclusive; an absent bound is open. */
export interface DayWindow {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Reads an order's day indexes, oldest first, all of one state. To find the records of a page, read consistently: a page
 * with older day indexes than the page before could miss an unchanged record.
 *
 * @param window the days whose years are read; all years if it has no bounds
 * @throws ServiceError "unavailable" if concurrent writers change the day indexes during every attempt
 */
export async function loadDayIndexes(
  table: Table,
  order: ListOrder,
  window: DayWindow = {},
  options: { consistent: boolean } = { consistent: true },
): Promise<DayIndex[]> {
  const from = yearOf(window.from ?? "0000");
  const to = yearOf(window.to ?? "9999");
  // The newest item names the versions of the others. One item alone is always of one state.
  const needsFit = options.consistent && from !== to;
  const years = { from, to: needsFit ? "9999" : to, ...options };
  return retryOnConflict(table.clock, async () => {
    const items = await table.queryPartition(order.dayIndexPartition, years);
    if (items.some(isBeingRebuilt)) throw new StaleReadError(`${order.dayIndexPartition} is being rebuilt`);
    const dayIndexes = items.map(toDayIndex);
    if (needsFit && !hasConsistentYears(dayIndexes, from)) throw new MixedYearsError(order.dayIndexPartition);
    return dayIndexes.filter(({ year }) => year <= to);
  });
}

/** Whether the list cannot be read or written now because a rebuild changes it in several transactions. */
const isBeingRebuilt = ({ rebuilding }: Item) => rebuilding !== undefined;

interface DayIndexAttributes {
  version: number;
  changed: number;
  days: Uint8Array;
  others?: Record<string, number>;
  generation?: number;
  digest?: Uint8Array;
}

function toDayIndex(item: Item): DayIndex {
  const { sk: year, version, changed, days, others, generation, digest } = item as Item & DayIndexAttributes;
  const ofNewest = { others, generation, digest: digest && unpackDigest(digest) };
  return { year, version, changedAt: changed, days: unpackDays(year, days), ...ofNewest };
}

export function dayIndexItem(order: ListOrder, dayIndex: DayIndex): Item {
  const { year, version, changedAt, days, others, generation, digest } = dayIndex;
  const ofNewest = { others, generation, digest: digest && packDigest(digest) };
  return { ...dayIndexKey(order, year), version, changed: changedAt, days: packDays(days), ...ofNewest };
}
