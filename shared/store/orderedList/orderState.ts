import { utcDay } from "../../time/clock.ts";
import type { Table } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { StaleReadError } from "../retryOnConflict.ts";
import { type DayIndex, yearOf } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import { type DaySlots, loadSlots, segmentsByDay, type WantedDay } from "./slotItems.ts";

/** Somebody changed the list while it was read: a record moved, or slots do not fit their day index. Read again. */
export class StaleRankError extends StaleReadError {
  override readonly name = "StaleRankError";
}

/**
 * What a writer knows of an order of a list. It may be kept from one transaction to the next, since each is conditional
 * on the version of the newest day index: once one was refused, or its fate is unknown, it is to be read anew.
 */
export interface OrderState {
  readonly order: ListOrder;
  /** All of them, by year, oldest first. */
  readonly dayIndexes: ReadonlyMap<string, DayIndex>;
  /** By day, of days that records have left or are to leave. */
  readonly slots: ReadonlyMap<string, DaySlots>;
}

/**
 * Reads what `planMoves` needs.
 *
 * @param leaving the ranks that records are to leave
 * @param known what is known already
 * @throws ServiceError "unavailable" when the clock is wrong (see `Table.checkClock`); StaleRankError when a rival changes it meanwhile, or a rank is no place of the list any more
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

/** The state of an order in which nothing has ever been. */
export function createOrderState(order: ListOrder): OrderState {
  return { order, dayIndexes: new Map(), slots: new Map() };
}

/** The newest day index, which is part of every transaction; undefined where nothing has ever been in the order. */
export function newestDayIndex({ dayIndexes }: OrderState): DayIndex | undefined {
  return [...dayIndexes.values()].at(-1);
}

/** The newest day of the newest year that holds places. */
export function newestDay(state: OrderState): string | undefined {
  return [...(newestDayIndex(state)?.days.keys() ?? [])].sort().at(-1);
}

/** The day on which a record enters an order by time: today, or the newest day there is where a clock runs behind it. */
export function currentDay(state: OrderState, now: Date): string {
  return [utcDay(now), newestDay(state) ?? ""].sort().at(-1) as string;
}
