import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Item, Table } from "../client.ts";
import { dayIndexKey, type ListOrder } from "../keys/orderedLists.ts";
import { packDigest, type RecordDigest, unpackDigest } from "../recordDigest.ts";
import { retryOnConflict, StaleReadError } from "../retryOnConflict.ts";

export interface DayCounts {
  /** The number of allocated sequence numbers, which is also the sequence number of the day's next record. */
  allocated: number;
  /** The number of sequence numbers that still have a record. */
  active: number;
}

export interface DayIndex {
  year: string;
  /** Incremented by every change of a record of this year; 0 if the item does not exist yet. */
  version: number;
  changedAt: number;
  days: ReadonlyMap<string, DayCounts>;
  /** Newest year only: the version of every other year, so that a reader knows whether its reads are of one state. */
  others?: Readonly<Record<string, number>> | undefined;
  /** Newest year only: time of the last rebuild, epoch ms; undefined before. Cursors of another generation begin again. */
  generation?: number | undefined;
  /** Newest year only: the digest of all records; undefined if the order has none, or if it is unknown until a rebuild. */
  digest?: RecordDigest | undefined;
}

export const newDayIndex = (year: string): DayIndex => ({ year, version: 0, changedAt: 0, days: new Map() });

export const yearOf = (day: string): string => day.slice(0, 4);

/**
 * Whether all day indexes are of one state: DynamoDB does not isolate a query from a transaction.
 *
 * @param dayIndexes all of the order from the year `from` on, oldest first
 */
export function hasConsistentYears(dayIndexes: readonly DayIndex[], from: string): boolean {
  const newest = dayIndexes.at(-1);
  if (!newest) return true;
  const versions = new Map(dayIndexes.map(({ year, version }) => [year, version]));
  const expected = Object.entries(newest.others ?? {}).filter(([year]) => year >= from);
  return (
    newest.others !== undefined &&
    expected.length === dayIndexes.length - 1 &&
    expected.every(([year, version]) => versions.get(year) === version)
  );
}

/** Packs days as deflated JSON, `{"03-15":[allocated, active]}`, without the second number if both are equal. */
export function packDays(days: ReadonlyMap<string, DayCounts>): Uint8Array {
  const packed: Record<string, number[]> = {};
  for (const [day, { allocated, active }] of days)
    packed[day.slice(5)] = active === allocated ? [allocated] : [allocated, active];
  return deflateRawSync(JSON.stringify(packed));
}

export function unpackDays(year: string, packed: Uint8Array): Map<string, DayCounts> {
  const days = Object.entries<number[]>(JSON.parse(inflateRawSync(packed).toString()));
  return new Map(days.map(([day, [allocated = 0, active = allocated]]) => [`${year}-${day}`, { allocated, active }]));
}

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
    // A rebuild changes the list in several transactions.
    if (items.some(({ rebuilding }) => rebuilding !== undefined))
      throw new StaleReadError(`${order.dayIndexPartition} is being rebuilt`);
    const dayIndexes = items.map(toDayIndex);
    if (needsFit && !hasConsistentYears(dayIndexes, from)) throw new MixedYearsError(order.dayIndexPartition);
    return dayIndexes.filter(({ year }) => year <= to);
  });
}

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
