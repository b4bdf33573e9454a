import type { DayCounts, DayIndex } from "./dayIndex.ts";
import type { DayWindow } from "./dayIndexItems.ts";
import { allocatedSlots } from "./slotItems.ts";
import type { SlotSet } from "./slotSet.ts";

/** A requested page: the number of records to skip, the maximum number to return, and the window of days. */
export interface PageWindow extends DayWindow {
  offset: number;
  limit: number;
}

/** The part of a page on one day. Of the day's records, newest first, it omits the first `skip` and has the next `take`. */
export interface PagePart {
  day: string;
  counts: DayCounts;
  skip: number;
  take: number;
}

/** Finds the days that a page covers, newest first, and the number of records in the window, from counts alone. */
export function planPage(dayIndexes: readonly DayIndex[], window: PageWindow): { total: number; parts: PagePart[] } {
  const days = selectDays(dayIndexes, window).sort(([a], [b]) => (a < b ? 1 : -1));
  const parts: PagePart[] = [];
  let total = 0;
  let skip = window.offset;
  let missing = window.limit;
  for (const [day, counts] of days) {
    const { active } = counts;
    total += active;
    if (skip >= active) {
      skip -= active;
    } else if (missing > 0) {
      const take = Math.min(active - skip, missing);
      parts.push({ day, counts, skip, take });
      missing -= take;
      skip = 0;
    }
  }
  return { total, parts };
}

export function isDayInWindow(day: string, window: DayWindow): boolean {
  return (!window.from || day >= window.from) && (!window.to || day <= window.to);
}

/** The days of a window with their counts, in no particular order. */
export function selectDays(dayIndexes: readonly DayIndex[], window: DayWindow): [string, DayCounts][] {
  return dayIndexes.flatMap((dayIndex) => [...dayIndex.days]).filter(([day]) => isDayInWindow(day, window));
}

/** The number of active records on some days. */
export function countRecords(days: Iterable<readonly [string, DayCounts]>): number {
  let sum = 0;
  for (const [, { active }] of days) sum += active;
  return sum;
}

/** The part of a page that lies in one segment; `skip` and `take` count as in `PagePart`. */
export interface SegmentPart {
  segment: number;
  skip: number;
  take: number;
}

/**
 * Finds the segments that a page's part of a day covers, newest first.
 *
 * @param empty the number of the day's empty sequence numbers, by segment
 */
export function segmentsOf({ counts, skip, take }: PagePart, empty: ReadonlyMap<number, number>, segmentSize: number) {
  const segments: SegmentPart[] = [];
  let left = skip;
  let missing = take;
  for (let segment = Math.ceil(counts.allocated / segmentSize) - 1; segment >= 0 && missing > 0; segment--) {
    const active = allocatedSlots(counts, segment, segmentSize) - (empty.get(segment) ?? 0);
    if (left >= active) {
      left -= active;
      continue;
    }
    const taken = Math.min(active - left, missing);
    segments.push({ segment, skip: left, take: taken });
    missing -= taken;
    left = 0;
  }
  return segments;
}

/**
 * The sequence numbers (of the day) of the records in a part of a segment, newest first.
 *
 * @param empty the segment's empty sequence numbers
 */
export function resolveSegmentSlots(
  counts: DayCounts,
  { segment, skip, take }: SegmentPart,
  empty: SlotSet,
  segmentSize: number,
) {
  const slots: number[] = [];
  let left = skip;
  for (let slot = allocatedSlots(counts, segment, segmentSize) - 1; slot >= 0 && slots.length < take; slot--) {
    if (empty.has(slot)) continue;
    if (left > 0) left--;
    else slots.push(segment * segmentSize + slot);
  }
  return slots;
}

/**
 * The sequence numbers of the records in a page's part of a day, newest first.
 *
 * @param exact the result of `resolveSlots` for the day; undefined if the day has no empty sequence numbers
 */
export function resolvePartSlots(
  { counts, skip, take }: PagePart,
  exact: readonly number[] | undefined,
): readonly number[] {
  return exact ?? Array.from({ length: take }, (_, i) => counts.allocated - 1 - skip - i);
}
