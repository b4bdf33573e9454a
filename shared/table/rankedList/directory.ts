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
  /** Raised by every change; 0 when the item does not exist yet. */
  version: number;
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
 * The text of a directory's days, `{"03-15":[slots handed out, chapter, empty slots in it, …]}`. Every read of a page
 * pays for these bytes, hence the short form.
 */
export function daysToText(directory: Directory): string {
  const days: Record<string, number[]> = {};
  for (const [day, { next, empty }] of directory.days) days[day.slice(5)] = [next, ...[...empty].flat()];
  return JSON.stringify(days);
}

/** The reverse of `daysToText`. */
export function daysFromText(year: string, text: string): Map<string, Day> {
  const days = new Map<string, Day>();
  for (const [monthAndDay, numbers] of Object.entries<number[]>(JSON.parse(text))) {
    const [next = 0, ...pairs] = numbers;
    const empty = new Map<number, number>();
    for (let i = 0; i + 1 < pairs.length; i += 2) empty.set(pairs[i] as number, pairs[i + 1] as number);
    days.set(`${year}-${monthAndDay}`, { next, empty });
  }
  return days;
}
