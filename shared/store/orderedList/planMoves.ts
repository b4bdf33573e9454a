import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type Table, unchanged } from "../client.ts";
import { dayIndexKey, daySlotsKey, type ListOrder, segmentKey } from "../keys/orderedLists.ts";
import { formatPosition } from "../keys/positions.ts";
import { addDigests, emptyDigest, type RecordDigest } from "../recordDigest.ts";
import { type DayCounts, type DayIndex, dayIndexItem, newDayIndex, yearOf } from "./dayIndex.ts";
import { newestDay, newestDayIndex, type OrderState, StaleRankError } from "./orderState.ts";
import {
  type DaySlots,
  dayItem,
  emptySlotsFromCounts,
  hasInlineCounts,
  locateSlot,
  type SlotSet,
  segmentItem,
} from "./slotItems.ts";

/** A record leaves `from`, gets the next position of the day `to`, or both. With `stays`, only versions change. */
export type Move = { from?: string | undefined; to?: string } | { stays: string };

/** Maximum number of empty past days that one transaction drops, to keep the transaction small. */
const maxDropped = 2;

/**
 * Plans the writes of a transaction from moves. Does not read the table and does not change `state`.
 *
 * @param state must contain the empty sequence numbers of all segments that the moves leave, see `loadOrderState`
 * @param digestChange the digest to add to that of the list, if it has one. If it is null, the change is unknown, and the
 *   list has no digest until its rebuild
 * @returns the new position of each move's record ("" if it has left the list), the writes, and the state after them
 * @throws StaleRankError if a record is not at the position that it leaves
 */
export function planMoves(
  table: Table,
  state: OrderState,
  moves: readonly Move[],
  now: Date,
  digestChange: RecordDigest | null = emptyDigest,
): { ranks: string[]; writes: TransactWriteItem[]; next: OrderState } {
  const draft = new Draft(state);
  const ranks = moves.map((move) => {
    if ("stays" in move) return draft.touch(move.stays);
    if (move.from) draft.leave(move.from);
    return move.to ? draft.enter(move.to) : "";
  });
  if (!state.order.canReopenDays) draft.dropDays();
  const next = draft.next(now, digestChange);
  return { ranks, writes: [...draft.slotWrites(table), ...dayIndexWrites(table, state, next)], next };
}

/** The segment of a position that a record leaves, as a text that sorts like positions. */
export function segmentLeft(order: ListOrder, rank: string): string {
  const { day, segment } = locateSlot(rank, order.segmentSize);
  return segmentKey(order, day, segment).sk;
}

/** The empty sequence numbers of a day that a plan changes. */
interface ChangedSlots extends DaySlots {
  empty: Map<number, number>;
  bitmaps: Map<number, SlotSet>;
  /** The segments that records leave in this plan. */
  left: Set<number>;
}

/** The changes of one plan. They are made on copies, so that the state stays unchanged. */
class Draft {
  readonly #state: OrderState;
  readonly #days = new Map<string, Map<string, DayCounts>>();
  readonly #slots = new Map<string, ChangedSlots>();
  readonly #dropped: string[] = [];

  constructor(state: OrderState) {
    this.#state = state;
  }

  touch(rank: string): string {
    this.#daysOf(rank);
    return rank;
  }

  enter(day: string): string {
    const days = this.#daysOf(day);
    const counts = days.get(day) ?? { allocated: 0, active: 0 };
    const after = { allocated: counts.allocated + 1, active: counts.active + 1 };
    days.set(day, after);
    const { segmentSize } = this.#state.order;
    // From here on, counts no longer say which segments have empty sequence numbers, so the day's item must be written.
    if (hasInlineCounts(counts, segmentSize) && !hasInlineCounts(after, segmentSize))
      this.#slotsOf(day, emptySlotsFromCounts(counts));
    return formatPosition(day, counts.allocated);
  }

  leave(rank: string): void {
    const { day, segment, slot } = locateSlot(rank, this.#state.order.segmentSize);
    const days = this.#daysOf(day);
    const counts = days.get(day);
    const slots = this.#slotsOf(day);
    const known = slots.bitmaps.get(segment);
    if (!counts || !known || known.has(slot)) throw new StaleRankError(rank);
    const bitmap = slots.left.has(segment) ? known : known.copy();
    bitmap.add(slot);
    slots.left.add(segment);
    slots.bitmaps.set(segment, bitmap);
    slots.empty.set(segment, (slots.empty.get(segment) ?? 0) + 1);
    days.set(day, { allocated: counts.allocated, active: counts.active - 1 });
  }

  /** Drops past days without records. Their numbers are never allocated again: records only enter the newest day. */
  dropDays(): void {
    const newest = newestDay(this.next(new Date(0)));
    for (const { year, days } of this.#state.dayIndexes.values()) {
      for (const [day, before] of days) {
        const { active } = this.#days.get(year)?.get(day) ?? before;
        if (active > 0 || day === newest || this.#dropped.length === maxDropped) continue;
        this.#dropped.push(day);
        this.#daysOf(day).delete(day);
      }
    }
  }

  next(now: Date, digestChange: RecordDigest | null = emptyDigest): OrderState {
    const { order, dayIndexes } = this.#state;
    const newestBefore = newestDayIndex(this.#state);
    const years = [...new Set([...dayIndexes.keys(), ...this.#days.keys()])].sort();
    const next = years.map((year): DayIndex => {
      const { version, changedAt, days } = dayIndexes.get(year) ?? newDayIndex(year);
      // If a later year begins, it is already in `#days`.
      const isChanged = this.#days.has(year) || year === newestBefore?.year;
      if (!isChanged) return { year, version, changedAt, days };
      return { year, version: version + 1, changedAt: now.getTime(), days: this.#days.get(year) ?? days };
    });
    const newest = next.at(-1);
    if (newest) {
      const ofEmptyList = { generation: undefined, digest: order.hasDigest ? emptyDigest : undefined };
      const { generation, digest } = newestBefore ?? ofEmptyList;
      newest.others = Object.fromEntries(next.slice(0, -1).map(({ year, version }) => [year, version]));
      newest.generation = generation;
      newest.digest = digestChange === null ? undefined : digest && addDigests(digest, digestChange);
    }
    const slots = new Map<string, DaySlots>([...this.#state.slots, ...this.#slots]);
    for (const day of this.#dropped) slots.delete(day);
    return { order, dayIndexes: new Map(next.map((one) => [one.year, one])), slots };
  }

  slotWrites(table: Table): TransactWriteItem[] {
    const { order } = this.#state;
    const { segmentSize } = order;
    const writes: TransactWriteItem[] = [];
    for (const [day, slots] of this.#slots) {
      if (this.#dropped.includes(day)) continue;
      const counts = this.#days.get(yearOf(day))?.get(day) as DayCounts;
      if (!hasInlineCounts(counts, segmentSize)) writes.push(table.putWrite(dayItem(order, day, slots)));
      for (const segment of slots.left) {
        // A completely allocated segment without records never changes again, and its count is enough.
        const isSettled = slots.empty.get(segment) === segmentSize;
        const bitmap = slots.bitmaps.get(segment) as SlotSet;
        if (isSettled) writes.push(table.deleteWrite(segmentKey(order, day, segment)));
        else writes.push(table.putWrite(segmentItem(order, day, segment, bitmap)));
      }
    }
    for (const day of this.#dropped) writes.push(...this.#dropWrites(table, day));
    return writes;
  }

  /** Deletes the items of a dropped day. Only its last segment and segments left in this plan may have bitmaps. */
  #dropWrites(table: Table, day: string): TransactWriteItem[] {
    const { order, dayIndexes } = this.#state;
    const { allocated: next = 0 } = dayIndexes.get(yearOf(day))?.days.get(day) ?? {};
    const last = Math.floor((next - 1) / order.segmentSize);
    const segments = new Set([last, ...(this.#slots.get(day)?.left ?? [])]);
    const keys = [...segments].map((segment) => segmentKey(order, day, segment));
    if (next > order.segmentSize) keys.push(daySlotsKey(order, day));
    return keys.map((key) => table.deleteWrite(key));
  }

  #daysOf(day: string): Map<string, DayCounts> {
    const year = yearOf(day);
    const days = this.#days.get(year) ?? new Map(this.#state.dayIndexes.get(year)?.days);
    this.#days.set(year, days);
    return days;
  }

  /** Copies the state's slots once, so that the cost of a plan does not grow with each move. */
  #slotsOf(day: string, empty = this.#state.slots.get(day)?.empty): ChangedSlots {
    let slots = this.#slots.get(day);
    if (!slots) {
      slots = { empty: new Map(empty), bitmaps: new Map(this.#state.slots.get(day)?.bitmaps), left: new Set() };
      this.#slots.set(day, slots);
    }
    return slots;
  }
}

function dayIndexWrites(table: Table, before: OrderState, after: OrderState): TransactWriteItem[] {
  const { order } = before;
  const writes = [...after.dayIndexes.values()].flatMap((dayIndex) => {
    const version = before.dayIndexes.get(dayIndex.year)?.version ?? 0;
    const condition = unchanged("version", version || undefined);
    return dayIndex.version === version ? [] : [table.putWrite(dayIndexItem(order, dayIndex), condition)];
  });
  if (before.dayIndexes.size > 0) return writes;
  // At New Year, two writers could both create the list, one in each year. These conditions let only one succeed.
  const year = Number([...after.dayIndexes.keys()][0]);
  const neighbors = [year - 1, year + 1].filter((other) => !after.dayIndexes.has(String(other)));
  const absent = { expression: "attribute_not_exists(pk)" };
  return [...writes, ...neighbors.map((other) => table.checkWrite(dayIndexKey(order, String(other)), absent))];
}
