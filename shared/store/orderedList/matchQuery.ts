import { formatPosition, lastSlot, positionToNumber } from "../keys/positions.ts";
import type { DayWindow } from "./dayIndexItems.ts";
import type { OrderName, RecordPositions } from "./indexEntries.ts";
import type { Range } from "./readPositionedRecords.ts";

/** A request for a page of matches, with the order of the page and a window of days for each order. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order?: OrderName;
  windows?: Partial<Record<OrderName, DayWindow>>;
  /**
   * Finds the id of the customer who has most of the matches, in a list that has an index by customer. The records of
   * this customer are read in ranges, all others by id. The id is resolved while the entries are read.
   */
  customerId?: () => Promise<string | undefined>;
}

/**
 * The number of all matches, the positions of the page's records by record id, and the ranges in which the records can
 * be read from the index by customer.
 */
export interface FoundPage {
  total: number;
  page: ReadonlyMap<string, RecordPositions>;
  ranges: readonly Range[];
}

/** Filters matches by the windows, sorts them newest first, and returns the page's matches. */
export function selectPage<Place extends RecordPositions>(
  found: readonly (readonly [id: string, Place])[],
  { offset, limit, order = "rank", windows = {} }: MatchQuery,
): { total: number; page: Map<string, Place> } {
  const matches = found
    .filter(([, places]) => isInWindows(places, windows))
    .sort(([, a], [, b]) => (b[order] ?? 0) - (a[order] ?? 0));
  return { total: matches.length, page: new Map(matches.slice(offset, offset + limit)) };
}

/** Whether positions lie within all windows (days inclusive). */
export function isInWindows(places: RecordPositions, windows: Partial<Record<OrderName, DayWindow>>): boolean {
  return Object.entries(windows).every(([order, { from, to }]) => {
    const place = places[order as OrderName] ?? 0;
    return (
      (!from || place >= positionToNumber(formatPosition(from, 0))) &&
      (!to || place <= positionToNumber(formatPosition(to, lastSlot)))
    );
  });
}
