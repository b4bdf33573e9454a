import type { Table } from "../client.ts";
import type { ListOrder, OrderedList } from "../keys/orderedLists.ts";
import { formatPosition, parsePosition } from "../keys/positions.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import type { DayCounts } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import type { Cursor } from "./listCursor.ts";
import { type PagePart, resolvePartSlots, selectDays } from "./planPage.ts";
import type { PositionedRecord } from "./readPage.ts";
import { readSlots } from "./readSlots.ts";
import { resolveSlots } from "./resolveSlots.ts";
import { allocatedSlots, type DaySlots, loadSlots, locateSlot } from "./slotItems.ts";

/** What has changed in a list since a place in it. */
export interface Changes {
  /** Records where they stand, oldest change first. */
  places: PositionedRecord[];
  /** Whether more is stored behind them. */
  hasMore: boolean;
  /** Whether the place is unknown or of another generation: then these are the records from the beginning. */
  isReset: boolean;
  /** Of the list; undefined if it was never rebuilt. */
  generation: number | undefined;
}

export interface ChangesWindow {
  /** The place after which to begin; undefined for all records from the first. */
  after: Cursor | undefined;
  /** Records at most. */
  limit: number;
  /** Bytes of records that are enough; there may be more. */
  targetBytes?: number;
}

/**
 * Reads on in an ordered list, from old to new. Since every change takes a new place behind all others, whoever goes on
 * behind the last record of what was read before meets every change.
 *
 * Day index and bitmaps tell exactly in which slots records stand. Where the index does not show one of them (it lags, or
 * the record has moved on meanwhile), the page ends before it: what stands there now, the next read knows. So there may
 * be no record though there is more.
 *
 * @throws ServiceError "unavailable" when writers keep the list from being seen in one state
 */
export async function readChanges(table: Table, list: OrderedList, window: ChangesWindow): Promise<Changes> {
  let consistent = false;
  return retryOnConflict(table.clock, async () => {
    const reading = { table, list, order: list.orders.rank, consistent };
    // What does not fit the day indexes is newer than they are.
    consistent = true;
    const { after } = window;
    const { days, generation } = await daysSince(reading, after?.rank);
    const isReset =
      after !== undefined &&
      !(after.isCurrent(generation) && (after.rank === undefined || isAllocated(after.rank, days)));
    const known = isReset
      ? await daysSince(reading, undefined)
      : { days: await leaveBehind(reading, days, after?.rank), generation };
    return { isReset, generation: known.generation, ...(await placesOf(reading, known.days, window)) };
  });
}

interface ReadingChanges {
  table: Table;
  list: OrderedList;
  order: ListOrder;
  /** Whether slots are read consistently. */
  consistent: boolean;
}

/** A day that holds records, and how many of them, its newest, are still to be read. */
interface DayToRead {
  day: string;
  counts: DayCounts;
  left: number;
}

/** The days from that of a rank on, oldest first; all of them where it is undefined. */
async function daysSince(
  { table, order }: ReadingChanges,
  rank: string | undefined,
): Promise<{ days: DayToRead[]; generation: number | undefined }> {
  const window = { from: rank && parsePosition(rank).day };
  const dayIndexes = await loadDayIndexes(table, order, window);
  const days = selectDays(dayIndexes, window).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    days: days.map(([day, counts]) => ({ day, counts, left: counts.active })),
    generation: dayIndexes.at(-1)?.generation,
  };
}

/** Whether a rank is one that the list ever gave to a record. */
function isAllocated(rank: string, days: readonly DayToRead[]): boolean {
  const newest = days.at(-1);
  return newest !== undefined && rank < formatPosition(newest.day, newest.counts.allocated);
}

/** The same days, of the first only what is behind a rank. */
async function leaveBehind(
  { table, order, consistent }: ReadingChanges,
  [first, ...others]: readonly DayToRead[],
  rank: string | undefined,
): Promise<DayToRead[]> {
  if (!first || !rank) return first ? [first, ...others] : [];
  const { day, slot: slotOfDay } = parsePosition(rank);
  const { counts } = first;
  if (day !== first.day) return [first, ...others];
  const slotsBehind = Math.max(0, counts.allocated - 1 - slotOfDay);
  if (slotsBehind === 0 || counts.active === counts.allocated) return [{ ...first, left: slotsBehind }, ...others];
  const place = locateSlot(rank, order.segmentSize);
  const wanted = { day, counts, segments: new Set([place.segment]) };
  const slots = (await loadSlots(table, order, [wanted], { consistent })).get(day) as DaySlots;
  const left = slotsBehind - emptyBehind(place, counts, slots, order.segmentSize);
  return [{ ...first, left }, ...others];
}

/** How many slots of a day are empty that are behind one of them, by what was loaded of the day and that one's segment. */
function emptyBehind(
  { segment, slot }: ReturnType<typeof locateSlot>,
  counts: DayCounts,
  { empty, bitmaps }: DaySlots,
  segmentSize: number,
): number {
  let behind = 0;
  for (const [other, count] of empty) if (other > segment) behind += count;
  // A segment all of whose slots are empty has no bitmap any more.
  const isAllEmpty = empty.get(segment) === segmentSize;
  for (let one = slot + 1; one < allocatedSlots(counts, segment, segmentSize); one++) {
    if (isAllEmpty || bitmaps.get(segment)?.has(one)) behind++;
  }
  return behind;
}

/** The first records of some days, as far as the index shows them without a gap. */
async function placesOf(
  { table, list, order, consistent }: ReadingChanges,
  days: readonly DayToRead[],
  { limit, targetBytes }: ChangesWindow,
): Promise<Pick<Changes, "places" | "hasMore">> {
  const parts: PagePart[] = [];
  let missing = limit;
  for (const { day, counts, left } of days) {
    const take = Math.min(left, missing);
    if (take > 0) parts.unshift({ day, counts, skip: left - take, take });
    missing -= take;
  }
  const exact = await resolveSlots(table, order, parts, { consistent });
  const reading = { table, list, order, attributes: ["body"], ...(targetBytes && { targetBytes }) };
  const found = await readSlots(reading, parts, exact);
  const values = new Map(found.map(({ rank, item }) => [rank, item.body?.S ?? ""]));
  const ranks = parts
    .flatMap((part) => resolvePartSlots(part, exact.get(part.day)).map((slot) => formatPosition(part.day, slot)))
    .reverse();
  const gap = ranks.findIndex((rank) => !values.has(rank));
  const shown = gap < 0 ? ranks : ranks.slice(0, gap);
  const total = days.reduce((sum, { left }) => sum + left, 0);
  return {
    places: shown.map((rank) => ({ rank, value: values.get(rank) ?? "" })),
    hasMore: shown.length < total,
  };
}
