import type { Day, Directory } from "./dayIndex.ts";
import type { DayWindow } from "./dayIndexItems.ts";
import { handedOut } from "./slotItems.ts";
import type { SlotSet } from "./slotSet.ts";

/** Which records a caller asks for: how many to skip and take, of which days. */
export interface PageWindow extends DayWindow {
  offset: number;
  limit: number;
}

/** A piece of one day that a page covers: of its records, newest first, skip `skip` and take `take`. */
export interface PagePart {
  day: string;
  counts: Day;
  skip: number;
  take: number;
}

/**
 * Finds, by counting alone, the days that a page covers.
 *
 * @returns the number of records in the window, and the page's parts, newest first
 */
export function planPage(directories: readonly Directory[], window: PageWindow): { total: number; parts: PagePart[] } {
  const days = daysWithin(directories, window).sort(([a], [b]) => (a < b ? 1 : -1));
  const parts: PagePart[] = [];
  let total = 0;
  let skip = window.offset;
  let missing = window.limit;
  for (const [day, counts] of days) {
    const { live } = counts;
    total += live;
    if (skip >= live) {
      skip -= live;
    } else if (missing > 0) {
      const take = Math.min(live - skip, missing);
      parts.push({ day, counts, skip, take });
      missing -= take;
      skip = 0;
    }
  }
  return { total, parts };
}

/** Whether a day lies in a window. */
export function isWithin(day: string, window: DayWindow): boolean {
  return (!window.from || day >= window.from) && (!window.to || day <= window.to);
}

/** The days of a window that hold places, with their counts, in no particular order. */
export function daysWithin(directories: readonly Directory[], window: DayWindow): [string, Day][] {
  return directories.flatMap((directory) => [...directory.days]).filter(([day]) => isWithin(day, window));
}

/** Records of some days together. */
export function countRecords(days: Iterable<readonly [string, Day]>): number {
  let sum = 0;
  for (const [, { live }] of days) sum += live;
  return sum;
}

/** A piece of one chapter that a part covers, in the same way. */
export interface ChapterPart {
  chapter: number;
  skip: number;
  take: number;
}

/**
 * Finds the chapters that a part of a day covers, newest first.
 *
 * @param empty the day's empty slots by chapter
 */
export function chaptersOf({ counts, skip, take }: PagePart, empty: ReadonlyMap<number, number>, chapterSize: number) {
  const chapters: ChapterPart[] = [];
  let left = skip;
  let missing = take;
  for (let chapter = Math.ceil(counts.next / chapterSize) - 1; chapter >= 0 && missing > 0; chapter--) {
    const live = handedOut(counts, chapter, chapterSize) - (empty.get(chapter) ?? 0);
    if (left >= live) {
      left -= live;
      continue;
    }
    const taken = Math.min(live - left, missing);
    chapters.push({ chapter, skip: left, take: taken });
    missing -= taken;
    left = 0;
  }
  return chapters;
}

/**
 * The exact slots (counted within the day) of a piece of a chapter, newest first.
 *
 * @param empty the chapter's empty slots
 */
export function slotsOf(counts: Day, { chapter, skip, take }: ChapterPart, empty: SlotSet, chapterSize: number) {
  const slots: number[] = [];
  let left = skip;
  for (let slot = handedOut(counts, chapter, chapterSize) - 1; slot >= 0 && slots.length < take; slot--) {
    if (empty.has(slot)) continue;
    if (left > 0) left--;
    else slots.push(chapter * chapterSize + slot);
  }
  return slots;
}

/**
 * The slots of a part, newest first.
 *
 * @param exact them, where the part's day has empty slots
 */
export function slotsOfPart({ counts, skip, take }: PagePart, exact: readonly number[] | undefined): readonly number[] {
  return exact ?? Array.from({ length: take }, (_, i) => counts.next - 1 - skip - i);
}
