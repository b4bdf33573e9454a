import type { Table } from "../client.ts";
import type { ListOrder, OrderedList } from "../keys/orderedLists.ts";
import { formatPosition, parsePosition } from "../keys/positions.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import { type DayIndex, loadDayIndexes } from "./dayIndex.ts";
import type { Cursor } from "./listCursor.ts";
import { countRecords, findRanks, planPage, selectDays } from "./planPage.ts";
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

/**
 * Reads a list from the oldest change to the newest. Every change moves the changed record to the end, so a caller that
 * always continues after the last record gets every change.
 *
 * If the index does not show a record that the day indexes and bitmaps count, it lags or the record has just moved. The
 * page ends before it, so a page can be empty although more changes follow.
 *
 * @throws ServiceError "unavailable" if concurrent writers prevent a read of one state
 */
export async function readChanges(
  table: Table,
  list: OrderedList,
  { after, limit, targetBytes }: { after: Cursor | undefined; limit: number; targetBytes?: number },
): Promise<Changes> {
  const order = list.orders.rank;
  let isRetry = false;
  return retryOnConflict(table.clock, async () => {
    const options = { consistent: isRetry };
    // An eventually consistent read may not fit the day indexes.
    isRetry = true;
    const cursor = after?.rank;
    const sinceCursor = await loadDayIndexes(table, order, { from: cursor && parsePosition(cursor).day });
    const isAllocated = cursor === undefined || cursor <= (headOf(sinceCursor) ?? "");
    const isReset = after !== undefined && !(after.isCurrent(sinceCursor.at(-1)?.generation) && isAllocated);
    const dayIndexes = isReset ? await loadDayIndexes(table, order) : sinceCursor;
    const left = await countAfter(table, order, dayIndexes, isReset ? undefined : cursor, options);
    const take = Math.min(left, limit);
    const { parts } = planPage(dayIndexes, { offset: left - take, limit: take });
    const ranks = await findRanks(table, order, parts, options);
    const reading = { table, list, order, attributes: ["body"], ...(targetBytes && { targetBytes }) };
    const found = await readRanks(reading, ranks);
    const values = new Map(found.map(({ rank, item }) => [rank, item.body?.S ?? ""]));
    const oldestFirst = ranks.toReversed();
    const gap = oldestFirst.findIndex((rank) => !values.has(rank));
    const shown = gap < 0 ? oldestFirst : oldestFirst.slice(0, gap);
    return {
      places: shown.map((rank) => ({ rank, value: values.get(rank) ?? "" })),
      hasMore: shown.length < left,
      isReset,
      generation: dayIndexes.at(-1)?.generation,
    };
  });
}

/** The last position that the list has allocated; undefined if there is none. */
function headOf(dayIndexes: readonly DayIndex[]): string | undefined {
  const [newest] = selectDays(dayIndexes, {}).sort(([one], [other]) => (one < other ? 1 : -1));
  return newest && formatPosition(newest[0], newest[1].allocated - 1);
}

/** Counts the records after a position; all records if it is undefined. */
async function countAfter(
  table: Table,
  order: ListOrder,
  dayIndexes: readonly DayIndex[],
  rank: string | undefined,
  options: { consistent: boolean },
): Promise<number> {
  if (rank === undefined) return countRecords(selectDays(dayIndexes, {}));
  const { segmentSize } = order;
  const { day, segment, slot } = locateSlot(rank, segmentSize);
  const days = new Map(selectDays(dayIndexes, { from: day }));
  const counts = days.get(day);
  days.delete(day);
  const later = countRecords(days);
  const behind = counts ? counts.allocated - 1 - segment * segmentSize - slot : 0;
  if (!counts || behind <= 0 || counts.active === counts.allocated) return later + Math.max(0, behind);
  const wanted = { day, counts, segments: new Set([segment]) };
  const { empty, bitmaps } = (await loadSlots(table, order, [wanted], options)).get(day) as DaySlots;
  let left = later + behind;
  for (const [other, count] of empty) if (other > segment) left -= count;
  // A completely empty segment has no bitmap.
  const isAllEmpty = empty.get(segment) === segmentSize;
  for (let one = slot + 1; one < allocatedSlots(counts, segment, segmentSize); one++) {
    if (isAllEmpty || bitmaps.get(segment)?.has(one)) left--;
  }
  return left;
}

/**
 * Reads the end of a list, consistently. All records that change later get a position after it.
 *
 * @throws ServiceError "unavailable" if concurrent writers change the list during every attempt
 */
export async function readHead(table: Table, order: ListOrder) {
  const dayIndexes = await loadDayIndexes(table, order);
  return {
    head: headOf(dayIndexes),
    generation: dayIndexes.at(-1)?.generation,
    records: countRecords(selectDays(dayIndexes, {})),
  };
}
