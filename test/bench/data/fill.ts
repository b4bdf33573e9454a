import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { Table } from "../../../shared/store/client.ts";
import type { OrderedList } from "../../../shared/store/keys/orderedLists.ts";
import type { FingerprintGroups } from "../../../shared/store/orderedList/fingerprintGroups.ts";
import {
  type RecordToWrite,
  RecordWriter,
  type WriterOptions,
} from "../../../shared/store/orderedList/recordWriter.ts";
import { type Clock, systemClock } from "../../../shared/time/clock.ts";

/** The day on which every list was filled. Changes happen on the days after it. */
const firstDay = Date.parse("2026-01-01T12:00:00.000Z");
const changeDays = 60;
/** The share of a list that changes on each of the last seven days, and on all sixty days together. */
const lastWeekShare = 0.001;
const changedShare = 0.05;
/** The number of records that a POS returns in one page. */
export const pageSize = 250;

/** The UTC day that lies the given number of days before the last day of the data, yyyy-MM-dd. */
export function daysAgo(days: number): string {
  return new Date(firstDay + (changeDays - days) * 86_400_000).toISOString().slice(0, 10);
}

/** A clock that stands still at noon of a day of the data. */
export function noonOf(day: string): Clock {
  return { now: () => new Date(`${day}T12:00:00.000Z`), sleep: systemClock.sleep };
}

/**
 * Fills a list as replication would: everything on one day, then changes of 5 % of it, spread over 60 days, with 0.1 % on each
 * day of the last week.
 * @param contentOf returns the record with a number, in the given version
 */
export async function fill(
  table: Table,
  list: OrderedList,
  options: WriterOptions,
  records: number,
  contentOf: (index: number, version: number) => RecordToWrite,
  progress: (written: number) => void,
): Promise<void> {
  await writeAll(table, list, { ...options, clock: noonOf(daysAgo(changeDays)) }, indexes(records), (index) => {
    if (index % 1_000 === 0) progress(index);
    return contentOf(index, 0);
  });
  const random = xoroshiro128plus(1);
  const versions = new Map<number, number>();
  for (let ago = changeDays - 1; ago >= 0; ago--) {
    const share = ago < 7 ? lastWeekShare : (changedShare - 7 * lastWeekShare) / (changeDays - 7);
    const changed = scattered(random, records, share);
    for (const index of changed) versions.set(index, (versions.get(index) ?? 0) + 1);
    const clock = noonOf(daysAgo(ago));
    await writeAll(table, list, { ...options, clock }, changed, (index) => contentOf(index, versions.get(index) ?? 0));
  }
}

/** Numbers of randomly picked records, in no order. */
export function scattered(random: RandomGenerator, records: number, share: number): Set<number> {
  const picked = new Set<number>();
  while (picked.size < Math.round(records * share)) picked.add((random.next() >>> 0) % records);
  return picked;
}

/** Writes records in the pages of a POS. */
export async function writeAll(
  table: Table,
  list: OrderedList,
  options: WriterOptions,
  numbers: Iterable<number>,
  recordOf: (index: number) => RecordToWrite,
  fingerprints?: FingerprintGroups,
): Promise<void> {
  const writer = new RecordWriter(table, list, options);
  let page: RecordToWrite[] = [];
  for (const index of numbers) {
    page.push(recordOf(index));
    if (page.length === pageSize) {
      await writer.write(page, fingerprints);
      page = [];
    }
  }
  await writer.write(page, fingerprints);
}

export function* indexes(count: number): Generator<number> {
  for (let index = 0; index < count; index++) yield index;
}
