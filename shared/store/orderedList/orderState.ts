import { utcDay } from "../../time/clock.ts";
import type { Table } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { StaleReadError } from "../retryOnConflict.ts";
import { type DayIndex, yearOf } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import { type DaySlots, loadSlots, segmentsByDay, type WantedDay } from "./slotItems.ts";

/**
 * A writer changed the list during the read: a record moved, or sequence numbers do not fit their day index. Read
 * again.
 */
export class StaleRankError extends StaleReadError {
  override readonly name = "StaleRankError";
}

/**
 * A writer's knowledge of one order of a list. It stays valid for the next transaction, because each one checks the
 * version of the newest day index. After a rejected transaction, or one with unknown outcome, the order must be read
 * again.
 */
export interface OrderState {
  readonly order: ListOrder;
  /** By year, oldest first. */
  readonly dayIndexes: ReadonlyMap<string, DayIndex>;
  /** By day, for days that records have left or will leave. */
  readonly slots: ReadonlyMap<string, DaySlots>;
}

/**
 * Reads what `planMoves` needs.
 *
 * @param leaving the positions that records will leave
 * @param known state that need not be read again
 * @throws ServiceError "unavailable" if the clock is wrong (see `Table.checkClock`); StaleReadError if another writer
 *   changes the order meanwhile, StaleRankError if a position is on a day that the list no longer has
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
  const wanted = [...segmentsByDay(leaving, order.segmentSize)].map(([day, ofDay]): WantedDay => {
    const { empty, bitmaps } = known?.slots.get(day) ?? {};
    const segments = bitmaps ? ofDay.difference(bitmaps) : ofDay;
    const counts = dayIndexes.get(yearOf(day))?.days.get(day);
    if (!counts) throw new StaleRankError(day);
    return { day, counts, segments, empty };
  });
  const slots = new Map(known?.slots);
  for (const [day, { empty, bitmaps }] of await loadSlots(table, order, wanted, { consistent: true })) {
    slots.set(day, { empty, bitmaps: new Map([...(slots.get(day)?.bitmaps ?? []), ...bitmaps]) });
  }
  return { order, dayIndexes, slots };
}

/** The state of an order that never had a record. */
export function createOrderState(order: ListOrder): OrderState {
  return { order, dayIndexes: new Map(), slots: new Map() };
}

/** The newest day index, which is part of every transaction; undefined if the order never had a record. */
export function newestDayIndex({ dayIndexes }: OrderState): DayIndex | undefined {
  return [...dayIndexes.values()].at(-1);
}

/** The last day of the newest year that has counts; undefined if that year has none. */
export function newestDay(state: OrderState): string | undefined {
  return [...(newestDayIndex(state)?.days.keys() ?? [])].sort().at(-1);
}

/**
 * The day for a changed record in the order of updates: today, or the newest day of the list if the clock is behind it.
 */
export function currentDay(state: OrderState, now: Date): string {
  return [utcDay(now), newestDay(state) ?? ""].sort().at(-1) as string;
}
