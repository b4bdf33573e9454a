import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Slots counted by one bitmap; a bitmap of 4,096 bits takes 512 bytes, the smallest unit that a read is charged for. */
export const defaultChapterSize = 4096;

/** What a directory knows of one day of a list. */
export interface Day {
  /** Slots handed out so far; the next record of the day takes this one. */
  next: number;
  /** Empty slots by chapter; a chapter without any is absent. */
  empty: Map<number, number>;
}

/** The days of one year that hold records, newest knowledge of one directory item. */
export interface Directory {
  year: string;
  /** Raised by every change of these days' records, one that keeps its place too; 0 when the item does not exist yet. */
  version: number;
  /** When that was, epoch milliseconds; 0 where it was not kept yet. */
  changedAt: number;
  /** By day, yyyy-MM-dd. */
  days: Map<string, Day>;
}

/** Records whose place is on this day. */
export function liveRecords(day: Day): number {
  let live = day.next;
  for (const count of day.empty.values()) live -= count;
  return live;
}

/** Slots of a chapter that were handed out; fewer than the chapter's size only in a day's last chapter. */
export function handedOut(day: Day, chapter: number, chapterSize: number): number {
  return Math.min(chapterSize, day.next - chapter * chapterSize);
}

/**
 * A directory's days as they are stored: deflated JSON, `{"03-15":[slots handed out, chapter, empty slots in it, …]}`.
 * Every read and every write pays for these bytes; a year of days fits one read unit so, 7 KB as plain text don't.
 */
export function packDays(directory: Directory): Uint8Array {
  const days: Record<string, number[]> = {};
  for (const [day, { next, empty }] of directory.days) days[day.slice(5)] = [next, ...[...empty].flat()];
  return deflateRawSync(JSON.stringify(days));
}

/** The reverse of `packDays`; takes the plain text too, in which directories were stored before. */
export function unpackDays(year: string, packed: Uint8Array | string): Map<string, Day> {
  const text = typeof packed === "string" ? packed : inflateRawSync(packed).toString();
  const days = new Map<string, Day>();
  for (const [monthAndDay, numbers] of Object.entries<number[]>(JSON.parse(text))) {
    const [next = 0, ...pairs] = numbers;
    const empty = new Map<number, number>();
    for (let i = 0; i + 1 < pairs.length; i += 2) empty.set(pairs[i] as number, pairs[i + 1] as number);
    days.set(`${year}-${monthAndDay}`, { next, empty });
  }
  return days;
}
