import { formatPosition, lastSlot, positionToNumber } from "../keys/positions.ts";
import type { DayWindow } from "./dayIndexItems.ts";
import type { OrderName, RecordPlace } from "./indexEntries.ts";

/** A request for a page of matches, with the order of the page and a window of days for each order. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order?: OrderName;
  windows?: Partial<Record<OrderName, DayWindow>>;
}

/** Filters matches by the windows, sorts them newest first, and returns the page's matches. */
export function selectPage(
  found: Iterable<readonly [id: string, RecordPlace]>,
  { offset, limit, order = "rank", windows = {} }: MatchQuery,
): { total: number; page: Map<string, RecordPlace> } {
  const matches = [...found]
    .filter(([, place]) => isInWindows(place, windows))
    .sort(([, a], [, b]) => compare[order](a, b));
  return { total: matches.length, page: new Map(matches.slice(offset, offset + limit)) };
}

/** The newest record of a day of sale has the newest position in the order of updates. */
const compare: Record<OrderName, (a: RecordPlace, b: RecordPlace) => number> = {
  rank: (a, b) => b.rank - a.rank,
  saleRank: (a, b) => (a.saleDay === b.saleDay ? b.rank - a.rank : a.saleDay < b.saleDay ? 1 : -1),
};

/** Whether a record's days lie within all windows (days inclusive). */
export function isInWindows(
  { rank, saleDay }: RecordPlace,
  { rank: updated = {}, saleRank: sold = {} }: Partial<Record<OrderName, DayWindow>>,
): boolean {
  return (
    (!updated.from || rank >= positionToNumber(formatPosition(updated.from, 0))) &&
    (!updated.to || rank <= positionToNumber(formatPosition(updated.to, lastSlot))) &&
    (!sold.from || saleDay >= sold.from) &&
    (!sold.to || saleDay <= sold.to)
  );
}
