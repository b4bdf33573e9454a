import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { RecordDigest } from "../recordDigest.ts";

/** The counts of one day of a list. */
export interface DayCounts {
  /** The number of allocated sequence numbers, which is also the sequence number of the day's next record. */
  allocated: number;
  /** The number of sequence numbers that still have a record. */
  active: number;
}

/** The days of one year that hold records. */
export interface DayIndex {
  /** yyyy */
  year: string;
  /** Incremented by every change of a record of this year; 0 if the item does not exist yet. */
  version: number;
  /** Time of the last change, epoch milliseconds. */
  changedAt: number;
  /** The counts by day (yyyy-MM-dd). */
  days: ReadonlyMap<string, DayCounts>;
  /** Newest year only: the version of every other year, so that a reader knows whether its reads are of one state. */
  others: Readonly<Record<string, number>> | undefined;
  /** Newest year only: time of the last rebuild, epoch ms; undefined before. Cursors of another generation begin again. */
  generation?: number | undefined;
  /** Newest year only: the digest of all records; undefined if the order has none, or if it is unknown until a rebuild. */
  digest?: RecordDigest | undefined;
}

export function newDayIndex(year: string): DayIndex {
  return { year, version: 0, changedAt: 0, days: new Map(), others: undefined };
}

export function yearOf(day: string): string {
  return day.slice(0, 4);
}

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

/** Reverses `packDays`. */
export function unpackDays(year: string, packed: Uint8Array): Map<string, DayCounts> {
  const days = Object.entries<number[]>(JSON.parse(inflateRawSync(packed).toString()));
  return new Map(days.map(([day, [allocated = 0, active = allocated]]) => [`${year}-${day}`, { allocated, active }]));
}
