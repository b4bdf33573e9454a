import { type Day, type Directory, handedOut, liveRecords } from "./directory.ts";
import type { SlotSet } from "./slotSet.ts";

/** Days, yyyy-MM-dd, both inclusive; open where absent. */
export interface DayWindow {
  from?: string | undefined;
  to?: string | undefined;
}

/** Which records a caller asks for: how many to skip and take, of which days. */
export interface PageWindow extends DayWindow {
  offset: number;
  limit: number;
}

/** A piece of one chapter that a page covers: of its records, newest first, skip `skip` and take `take`. */
export interface PagePart {
  day: string;
  chapter: number;
  handedOut: number;
  empty: number;
  skip: number;
  take: number;
}

/**
 * Finds, by counting alone, the chapters that a page covers.
 *
 * @returns the number of records in the window, and the page's parts, newest first
 */
export function planPage(
  directories: readonly Directory[],
  window: PageWindow,
  chapterSize: number,
): { total: number; parts: PagePart[] } {
  const days = daysWithin(directories, window).sort(([a], [b]) => (a < b ? 1 : -1));
  const parts: PagePart[] = [];
  let total = 0;
  let skip = window.offset;
  let missing = window.limit;
  for (const [day, counts] of days) {
    const live = liveRecords(counts);
    total += live;
    if (skip >= live) skip -= live;
    else if (missing > 0) {
      for (const part of partsOfDay(day, counts, skip, missing, chapterSize)) {
        missing -= part.take;
        parts.push(part);
      }
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

function partsOfDay(day: string, counts: Day, offset: number, limit: number, chapterSize: number): PagePart[] {
  const parts: PagePart[] = [];
  let skip = offset;
  let missing = limit;
  for (let chapter = Math.ceil(counts.next / chapterSize) - 1; chapter >= 0 && missing > 0; chapter--) {
    const slots = handedOut(counts, chapter, chapterSize);
    const empty = counts.empty.get(chapter) ?? 0;
    const live = slots - empty;
    if (skip >= live) {
      skip -= live;
      continue;
    }
    const take = Math.min(live - skip, missing);
    parts.push({ day, chapter, handedOut: slots, empty, skip, take });
    missing -= take;
    skip = 0;
  }
  return parts;
}

/**
 * The exact slots (counted within the day) of a part, newest first.
 *
 * @param empty the chapter's empty slots; undefined when it has none
 */
export function slotsOfPart(part: PagePart, empty: SlotSet | undefined, chapterSize: number): number[] {
  const slots: number[] = [];
  let skip = part.skip;
  for (let slot = part.handedOut - 1; slot >= 0 && slots.length < part.take; slot--) {
    if (empty?.has(slot)) continue;
    if (skip > 0) skip--;
    else slots.push(part.chapter * chapterSize + slot);
  }
  return slots;
}
