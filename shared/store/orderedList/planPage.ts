import type { Table } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { formatPosition } from "../keys/positions.ts";
import type { DayCounts, DayIndex, DayWindow } from "./dayIndex.ts";
import { allocatedSlots, loadSlots, SlotSet } from "./slotItems.ts";

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

export const isDayInWindow = (day: string, window: DayWindow): boolean =>
  (!window.from || day >= window.from) && (!window.to || day <= window.to);

/** The days of a window with their counts, in no particular order. */
export const selectDays = (dayIndexes: readonly DayIndex[], window: DayWindow): [string, DayCounts][] =>
  dayIndexes.flatMap((dayIndex) => [...dayIndex.days]).filter(([day]) => isDayInWindow(day, window));

export function countRecords(days: Iterable<readonly [string, DayCounts]>): number {
  let sum = 0;
  for (const [, { active }] of days) sum += active;
  return sum;
}

/** The part of a page that lies in one segment; `skip` and `take` count as in `PagePart`. */
interface SegmentPart {
  segment: number;
  skip: number;
  take: number;
}

/**
 * Finds the segments that a page's part of a day covers, newest first.
 *
 * @param empty the number of the day's empty sequence numbers, by segment
 */
function segmentsOf({ counts, skip, take }: PagePart, empty: ReadonlyMap<number, number>, segmentSize: number) {
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
function resolveSegmentSlots(
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
 * Finds the positions of a page's records, newest first, also on days that it covers completely: a lagging index may still
 * show a record that has left the day, and lack a new one. On a day with several segments, the day's item says which are
 * needed. It is read together with the likely ones, so a second round trip is rare.
 *
 * @param parts all parts of a page, newest first
 * @throws StaleReadError if the stored items do not fit the day index's counts
 */
export async function findRanks(
  table: Table,
  order: ListOrder,
  parts: readonly PagePart[],
  { consistent }: { consistent: boolean },
): Promise<string[]> {
  const { segmentSize } = order;
  const likely = parts.map((part) => ({ ...part, segments: likelySegments(part, segmentSize) }));
  const first = await loadSlots(table, order, likely, { consistent });
  const pieces = parts.map((part) => {
    const { empty = new Map(), bitmaps = new Map() } = first.get(part.day) ?? {};
    return { ...part, empty, bitmaps, pieces: segmentsOf(part, empty, segmentSize) };
  });
  const missing = pieces.map(({ day, counts, empty, bitmaps, pieces }) => ({
    ...{ day, counts, empty },
    segments: new Set(pieces.map(({ segment }) => segment)).difference(bitmaps),
  }));
  const others = await loadSlots(table, order, missing, { consistent });
  const none = SlotSet.empty(segmentSize);
  return pieces.flatMap(({ day, counts, bitmaps, pieces }) => {
    const bitmapOf = (segment: number) => bitmaps.get(segment) ?? others.get(day)?.bitmaps.get(segment) ?? none;
    const slots = pieces.flatMap((piece) => resolveSegmentSlots(counts, piece, bitmapOf(piece.segment), segmentSize));
    return slots.map((slot) => formatPosition(day, slot));
  });
}

/** The segments that a part of a page would cover if the day's empty sequence numbers were evenly distributed. */
function likelySegments({ counts, skip, take }: PagePart, segmentSize: number): Set<number> {
  const slotOf = (record: number) => counts.allocated - 1 - Math.floor((record * counts.allocated) / counts.active);
  const highest = Math.floor(slotOf(skip) / segmentSize);
  const lowest = Math.floor(slotOf(skip + take - 1) / segmentSize);
  return new Set(Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i));
}
