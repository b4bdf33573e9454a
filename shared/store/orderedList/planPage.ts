import type { Table } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { formatPosition } from "../keys/positions.ts";
import type { DayCounts, DayIndex, DayWindow } from "./dayIndex.ts";
import { allocatedSlots, type DaySlots, loadSlots } from "./slotItems.ts";

/** A requested page: the number of records to skip, the maximum number to return, and the window of days. */
export interface PageWindow extends DayWindow {
  offset: number;
  limit: number;
}

/** A part of a page. Of the newest records of a day or segment, it omits the first `skip` and has the next `take`. */
interface PagePart {
  skip: number;
  take: number;
}

type DayPart = PagePart & { day: string; counts: DayCounts };
type SegmentPart = PagePart & { segment: number };

/** Finds the days that a page covers, newest first, and the number of records in the window, from counts alone. */
export function planPage(dayIndexes: readonly DayIndex[], window: PageWindow): { total: number; parts: DayPart[] } {
  const days = selectDays(dayIndexes, window).sort(([a], [b]) => (a < b ? 1 : -1));
  const groups = days.map(([day, counts]) => ({ day, counts }));
  const page = { skip: window.offset, take: window.limit };
  return { total: countRecords(days), parts: dividePage(page, groups, ({ counts }) => counts.active) };
}

/** Divides a page into its parts of groups of records, newest first. */
function dividePage<Group extends object>(
  page: PagePart,
  groups: readonly Group[],
  countOf: (group: Group) => number,
): (Group & PagePart)[] {
  let { skip: left, take: missing } = page;
  return groups.flatMap((group) => {
    const count = countOf(group);
    const skip = Math.min(left, count);
    const take = Math.min(missing, count - skip);
    left -= skip;
    missing -= take;
    return take > 0 ? [{ ...group, skip, take }] : [];
  });
}

export const isDayInWindow = (day: string, window: DayWindow): boolean =>
  (!window.from || day >= window.from) && (!window.to || day <= window.to);

/** The days of a window with their counts, in no particular order. */
export const selectDays = (dayIndexes: readonly DayIndex[], window: DayWindow): [string, DayCounts][] =>
  dayIndexes.flatMap((dayIndex) => [...dayIndex.days]).filter(([day]) => isDayInWindow(day, window));

export const countRecords = (days: Iterable<readonly [string, DayCounts]>): number =>
  [...days].reduce((sum, [, { active }]) => sum + active, 0);

/** Finds the segments that a page's part of a day covers, newest first. */
function segmentsOf(part: DayPart, empty: DaySlots["empty"], segmentSize: number): SegmentPart[] {
  const { counts } = part;
  const length = Math.ceil(counts.allocated / segmentSize);
  const segments = Array.from({ length }, (_, i) => ({ segment: length - 1 - i }));
  const activeOf = (segment: number) => allocatedSlots(counts, segment, segmentSize) - (empty.get(segment) ?? 0);
  return dividePage(part, segments, ({ segment }) => activeOf(segment));
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
  parts: readonly DayPart[],
  { consistent }: { consistent: boolean },
): Promise<string[]> {
  const { segmentSize } = order;
  const likely = parts.map((part) => ({ ...part, segments: likelySegments(part, segmentSize) }));
  const first = await loadSlots(table, order, likely, { consistent });
  const days = parts.map((part) => {
    const { empty, bitmaps } = first.get(part.day) as DaySlots;
    const segmentParts = segmentsOf(part, empty, segmentSize);
    const segments = new Set(segmentParts.map(({ segment }) => segment)).difference(bitmaps);
    return { ...part, empty, bitmaps, segmentParts, segments };
  });
  const others = await loadSlots(table, order, days, { consistent });
  return days.flatMap(({ day, counts, bitmaps, segmentParts }) =>
    segmentParts.flatMap(({ segment, skip, take }) => {
      const empty = bitmaps.get(segment) ?? others.get(day)?.bitmaps.get(segment);
      const allocated = allocatedSlots(counts, segment, segmentSize);
      const newestFirst = Array.from({ length: allocated }, (_, i) => allocated - 1 - i);
      const taken = newestFirst.filter((slot) => !empty?.has(slot)).slice(skip, skip + take);
      return taken.map((slot) => formatPosition(day, segment * segmentSize + slot));
    }),
  );
}

/** The segments that a part of a page would cover if the day's empty sequence numbers were evenly distributed. */
function likelySegments({ counts, skip, take }: DayPart, segmentSize: number): Set<number> {
  const slotOf = (record: number) => counts.allocated - 1 - Math.floor((record * counts.allocated) / counts.active);
  const highest = Math.floor(slotOf(skip) / segmentSize);
  const lowest = Math.floor(slotOf(skip + take - 1) / segmentSize);
  return new Set(Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i));
}
