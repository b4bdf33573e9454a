import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Item, RawItem, Table } from "../client.ts";
import { groupsOf } from "../groups.ts";
import type { Key } from "../keys/key.ts";
import { daySlotsKey, type ListOrder, lastSegmentKey, segmentKey } from "../keys/orderedLists.ts";
import { parsePosition } from "../keys/positions.ts";
import { StaleReadError } from "../retryOnConflict.ts";
import type { DayCounts } from "./dayIndex.ts";

/** A transaction changed a day's sequence numbers between the reads of its counts and its bitmaps. */
class MixedCountsError extends StaleReadError {
  override readonly name = "MixedCountsError";
}

export interface DaySlots {
  /** Number of empty sequence numbers by segment. A segment without empty sequence numbers is absent. */
  empty: ReadonlyMap<number, number>;
  bitmaps: ReadonlyMap<number, SlotSet>;
}

/** A day of a day index, with the segments whose bitmaps are needed. */
export interface WantedDay {
  day: string;
  counts: DayCounts;
  segments: ReadonlySet<number>;
  /** Number of empty sequence numbers by segment, if already known. */
  empty?: ReadonlyMap<number, number> | undefined;
}

/** The number of allocated sequence numbers of a segment; only the last one of a day is not complete. */
export const allocatedSlots = ({ allocated: next }: DayCounts, segment: number, segmentSize: number): number =>
  Math.min(segmentSize, next - segment * segmentSize);

/** Whether the counts in the day index show the empty numbers of each segment, so that the day needs no item. */
export const hasInlineCounts = ({ allocated: next, active }: DayCounts, segmentSize: number): boolean =>
  active === next || next <= segmentSize;

/** The number of empty sequence numbers by segment. Call it only if `hasInlineCounts`. */
export const emptySlotsFromCounts = ({ allocated: next, active }: DayCounts): ReadonlyMap<number, number> =>
  new Map(active === next ? [] : [[0, next - active]]);

/** The day and segment of a position, and its place within the segment. */
export function locateSlot(rank: string, segmentSize: number): { day: string; segment: number; slot: number } {
  const { day, slot } = parsePosition(rank);
  return { day, segment: Math.floor(slot / segmentSize), slot: slot % segmentSize };
}

/** Whether a position has a record. The day and the segment of the position must be loaded. */
export function isTaken(rank: string, slots: ReadonlyMap<string, DaySlots>, segmentSize: number): boolean {
  const { day, segment, slot } = locateSlot(rank, segmentSize);
  const ofDay = slots.get(day);
  // A completely empty segment has no bitmap.
  if (!ofDay || ofDay.empty.get(segment) === segmentSize) return false;
  return !ofDay.bitmaps.get(segment)?.has(slot);
}

/**
 * Reads the empty sequence numbers of days, in one round trip to DynamoDB.
 *
 * @param options.days all days between the wanted ones; default only these
 * @throws StaleReadError if the items do not fit the day index's counts, because a concurrent writer has changed one
 */
export async function loadSlots(
  table: Table,
  order: ListOrder,
  wanted: readonly WantedDay[],
  options: { consistent: boolean; days?: Iterable<readonly [day: string, DayCounts]> },
): Promise<Map<string, DaySlots>> {
  const { segmentSize } = order;
  const { consistent, days = wanted.map(({ day, counts }) => [day, counts]) } = options;
  const keys = wanted.flatMap(({ day, counts, segments, empty }): Key[] => [
    ...(hasInlineCounts(counts, segmentSize) || empty ? [] : [daySlotsKey(order, day)]),
    ...(counts.active === counts.allocated ? [] : [...segments].map((segment) => segmentKey(order, day, segment))),
  ]);
  const range = findCheaperRange(order, keys, days);
  const read = range
    ? await table.queryRaw(order.slots, { ...range, consistent })
    : await table.batchGetRaw(keys, { consistent });
  const items = new Map(read.map((item) => [item.sk?.S, item]));
  return new Map(
    wanted.map(({ day, counts, segments, empty: known }) => {
      const fromCounts = hasInlineCounts(counts, segmentSize) ? emptySlotsFromCounts(counts) : known;
      const empty = fromCounts ?? emptyBySegment(items.get(daySlotsKey(order, day).sk));
      const bitmaps = new Map(
        [...segments].map((segment) => [segment, bitmapOf(items.get(segmentKey(order, day, segment).sk), segmentSize)]),
      );
      // The number of empty sequence numbers never decreases. So items with equal counts are of the same state.
      const sum = [...empty.values()].reduce((total, count) => total + count, 0);
      const fits =
        sum === counts.allocated - counts.active &&
        [...bitmaps].every(([segment, bitmap]) => {
          const count = empty.get(segment) ?? 0;
          return bitmap.count() === count || count === segmentSize;
        });
      if (!fits) throw new MixedCountsError(day);
      return [day, { empty, bitmaps }] as const;
    }),
  );
}

/** Bytes of the keys and attribute names of an item of empty sequence numbers. */
const slotItemBytes = 100;
const readUnitBytes = 4_096;

/** The range that one query reads for fewer read units than single reads of the keys; undefined if there is none. */
function findCheaperRange(
  order: ListOrder,
  keys: readonly Key[],
  days: Iterable<readonly [day: string, DayCounts]>,
): { from: string; to: string } | undefined {
  const sorted = keys.map(({ sk }) => sk.slice(0, "yyyy-MM-dd".length)).sort();
  const [from, to] = [sorted.at(0), sorted.at(-1)];
  if (!from || !to) return undefined;
  let bytes = 0;
  for (const [day, { allocated, active }] of days) {
    if (day < from || day > to || active === allocated) continue;
    bytes += allocated / 8 + (Math.ceil(allocated / order.segmentSize) + 1) * slotItemBytes;
  }
  const isCheaper = Math.ceil(bytes / readUnitBytes) < keys.length;
  return isCheaper ? { from: daySlotsKey(order, from).sk, to: lastSegmentKey(order, to).sk } : undefined;
}

/** The item with the number of empty sequence numbers in each segment of a day; see `hasInlineCounts`. */
export const dayItem = (order: ListOrder, day: string, { empty }: Pick<DaySlots, "empty">): Item => ({
  ...daySlotsKey(order, day),
  empty: deflateRawSync(JSON.stringify([...empty].flat())),
});

export function segmentItem(order: ListOrder, day: string, segment: number, bitmap: SlotSet): Item {
  // Trailing zeros are omitted. On a day with few records, most bytes of the bitmap are trailing zeros.
  const length = bitmap.bytes.findLastIndex((byte) => byte !== 0) + 1;
  return { ...segmentKey(order, day, segment), slots: bitmap.bytes.slice(0, length) };
}

/** The number of empty sequence numbers by segment, from an item of `dayItem`; empty if the item does not exist. */
export function emptyBySegment(item: RawItem | undefined): Map<number, number> {
  if (!item?.empty?.B) return new Map();
  const numbers: number[] = JSON.parse(inflateRawSync(item.empty.B).toString());
  return new Map(groupsOf(numbers, 2) as [number, number][]);
}

function bitmapOf(item: RawItem | undefined, segmentSize: number): SlotSet {
  const bitmap = SlotSet.empty(segmentSize);
  if (item?.slots?.B) bitmap.bytes.set(item.slots.B);
  return bitmap;
}

/** A set of sequence numbers of one segment, as a bitmap with one bit for each sequence number. */
export class SlotSet {
  readonly bytes: Uint8Array;

  /** @param bytes the bitmap, segment size / 8 bytes; the set keeps this array and changes it in place */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  static empty(segmentSize: number): SlotSet {
    return new SlotSet(new Uint8Array(Math.ceil(segmentSize / 8)));
  }

  copy(): SlotSet {
    return new SlotSet(Uint8Array.from(this.bytes));
  }

  has(slot: number): boolean {
    return ((this.bytes[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0;
  }

  add(slot: number): void {
    this.bytes[slot >> 3] = (this.bytes[slot >> 3] ?? 0) | (1 << (slot & 7));
  }

  count(): number {
    let count = 0;
    for (let byte of this.bytes) for (; byte !== 0; byte &= byte - 1) count++;
    return count;
  }
}
