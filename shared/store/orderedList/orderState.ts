import { utcDay } from "../../time/clock.ts";
import type { Table } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { parsePosition } from "../keys/positions.ts";
import { StaleReadError } from "../retryOnConflict.ts";
import { type DayIndex, loadDayIndexes, yearOf } from "./dayIndex.ts";
import { type DaySlots, loadSlots, locateSlot, type WantedDay } from "./slotItems.ts";

/** A concurrent writer has changed the list: a record has moved, or the sequence numbers do not fit their day index. */
export class StaleRankError extends StaleReadError {
  override readonly name = "StaleRankError";
}

/**
 * The state of an order, as a writer knows it. It stays valid after a commit, because each transaction checks the version
 * of the newest day index. After a rejected transaction or an unknown outcome it must be read again.
 */
export interface OrderState {
  readonly order: ListOrder;
  /** The day indexes by year, oldest first. */
  readonly dayIndexes: ReadonlyMap<string, DayIndex>;
  /** The empty sequence numbers by day, for days that records have left or will leave. */
  readonly slots: ReadonlyMap<string, DaySlots>;
}

/**
 * Reads the state of an order that `planMoves` needs.
 *
 * @param leaving the positions that records will leave
 * @param known a state that is still valid, so that its parts are not read again
 * @throws ServiceError "unavailable" if the clock is wrong (`Table.checkClock`); StaleReadError if the order changes
 */
export async function loadOrderState(
  table: Table,
  order: ListOrder,
  leaving: Iterable<string> = [],
  known?: OrderState,
): Promise<OrderState> {
  const dayIndexes =
    known?.dayIndexes ?? new Map((await loadDayIndexes(table, order)).map((dayIndex) => [dayIndex.year, dayIndex]));
  table.checkClock();
  const wanted = [...Map.groupBy(leaving, (rank) => parsePosition(rank).day)].map(([day, ranks]): WantedDay => {
    const { empty, bitmaps } = known?.slots.get(day) ?? {};
    const ofDay = new Set(ranks.map((rank) => locateSlot(rank, order.segmentSize).segment));
    const segments = bitmaps ? ofDay.difference(bitmaps) : ofDay;
    const counts = dayIndexes.get(yearOf(day))?.days.get(day);
    if (!counts) throw new StaleRankError(day);
    return { day, counts, segments, empty };
  });
  const slots = new Map(known?.slots);
  const days = [...dayIndexes.values()].flatMap((index) => [...index.days]);
  for (const [day, { empty, bitmaps }] of await loadSlots(table, order, wanted, { consistent: true, days })) {
    slots.set(day, { empty, bitmaps: new Map([...(slots.get(day)?.bitmaps ?? []), ...bitmaps]) });
  }
  return { order, dayIndexes, slots };
}

/** The newest day index, which is part of every transaction; undefined if the order never had a record. */
export const newestDayIndex = ({ dayIndexes }: OrderState): DayIndex | undefined => [...dayIndexes.values()].at(-1);

/** The last day with counts in the newest year; undefined if the newest year has no day with counts. */
export const newestDay = (state: OrderState): string | undefined =>
  [...(newestDayIndex(state)?.days.keys() ?? [])].sort().at(-1);

/** The day to which a changed record moves in the order of updates: today, or the newest day if the clock is behind it. */
export const currentDay = (state: OrderState, now: Date): string =>
  [utcDay(now), newestDay(state) ?? ""].sort().at(-1) as string;
