import type { Table } from "../client.ts";
import type { ListOrder, OrderedList } from "../keys/orderedLists.ts";
import { formatPosition, parsePosition } from "../keys/positions.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import { type DayCounts, loadDayIndexes } from "./dayIndex.ts";
import type { Cursor } from "./listCursor.ts";
import { countRecords, findRanks, type PagePart, selectDays } from "./planPage.ts";
import type { PositionedRecord } from "./readPage.ts";
import { readRanks } from "./readRanks.ts";
import { allocatedSlots, type DaySlots, loadSlots, locateSlot } from "./slotItems.ts";

export interface Changes {
  /** Changed records with their positions, oldest change first. */
  places: PositionedRecord[];
  hasMore: boolean;
  /** Whether the place is unknown or belongs to another generation. The records then begin at the start of the list. */
  isReset: boolean;
  generation: number | undefined;
}

export interface ChangesWindow {
  after: Cursor | undefined;
  limit: number;
  targetBytes?: number;
}

/**
 * Reads a list from the oldest change to the newest. Every change moves the changed record to the end, so a caller that
 * always continues after the last record gets every change.
 *
 * If the index does not show a record that the day indexes and bitmaps count, it lags or the record has just moved. The
 * page ends before it, so a page can be empty although more changes follow.
 *
 * @throws ServiceError "unavailable" if concurrent writers prevent a read of one state
 */
export async function readChanges(table: Table, list: OrderedList, window: ChangesWindow): Promise<Changes> {
  let consistent = false;
  return retryOnConflict(table.clock, async () => {
    const reading = { table, list, order: list.orders.rank, consistent };
    // An eventually consistent read may not fit the day indexes.
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
  consistent: boolean;
}

/** A day whose newest records are still to be read; `left` is their number. */
interface DayToRead {
  day: string;
  counts: DayCounts;
  left: number;
}

/** Reads the days from the day of a position to the newest, oldest first; all days if the position is undefined. */
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

/** Whether the list has ever allocated a position. */
function isAllocated(rank: string, days: readonly DayToRead[]): boolean {
  const newest = days.at(-1);
  return newest !== undefined && rank < formatPosition(newest.day, newest.counts.allocated);
}

/** Removes the records up to a position from the days to read. Only the first day can have such records. */
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

/** Counts the empty sequence numbers of a day after a given one. The bitmap of its segment must be loaded. */
function emptyBehind(
  { segment, slot }: ReturnType<typeof locateSlot>,
  counts: DayCounts,
  { empty, bitmaps }: DaySlots,
  segmentSize: number,
): number {
  let behind = 0;
  for (const [other, count] of empty) if (other > segment) behind += count;
  // A completely empty segment has no bitmap.
  const isAllEmpty = empty.get(segment) === segmentSize;
  for (let one = slot + 1; one < allocatedSlots(counts, segment, segmentSize); one++) {
    if (isAllEmpty || bitmaps.get(segment)?.has(one)) behind++;
  }
  return behind;
}

/**
 * Reads the oldest records of some days, up to the limits of the window, or to the first one that the index does not show.
 */
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
  const ranks = await findRanks(table, order, parts, { consistent });
  const reading = { table, list, order, attributes: ["body"], ...(targetBytes && { targetBytes }) };
  const found = await readRanks(reading, ranks);
  const values = new Map(found.map(({ rank, item }) => [rank, item.body?.S ?? ""]));
  const oldestFirst = ranks.toReversed();
  const gap = oldestFirst.findIndex((rank) => !values.has(rank));
  const shown = gap < 0 ? oldestFirst : oldestFirst.slice(0, gap);
  const total = days.reduce((sum, { left }) => sum + left, 0);
  return {
    places: shown.map((rank) => ({ rank, value: values.get(rank) ?? "" })),
    hasMore: shown.length < total,
  };
}

export interface ListHead {
  /** The last position that the list has allocated; undefined if there is none. */
  head: string | undefined;
  generation: number | undefined;
  records: number;
}

/**
 * Reads the end of a list, consistently. All records that change later get a position after it.
 *
 * @throws ServiceError "unavailable" if concurrent writers change the list during every attempt
 */
export async function readHead(table: Table, order: ListOrder): Promise<ListHead> {
  const dayIndexes = await loadDayIndexes(table, order);
  const days = selectDays(dayIndexes, {});
  const [newest] = days.toSorted(([one], [other]) => (one < other ? 1 : -1));
  return {
    head: newest && formatPosition(newest[0], newest[1].allocated - 1),
    generation: dayIndexes.at(-1)?.generation,
    records: countRecords(days),
  };
}
