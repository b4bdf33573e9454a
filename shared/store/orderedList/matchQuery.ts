import { formatPosition, lastSlot, positionToNumber } from "../keys/positions.ts";
import type { DayWindow } from "./dayIndexItems.ts";
import type { OrderName, RecordPositions } from "./indexEntries.ts";
import type { Range } from "./readPositionedRecords.ts";

/** A page of matches, its order, and the windows of days by order. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order?: OrderName;
  windows?: Partial<Record<OrderName, DayWindow>>;
  /**
   * The customer of most matches, in a list that is also kept by customer. Records of that customer are read in ranges,
   * the others one by one. It is resolved in parallel with the entries.
   */
  customerId?: () => Promise<string | undefined>;
}

/** The positions of a page's records, the number of all matches, and the ranges that the index by customer can read. */
export interface FoundPage {
  total: number;
  page: ReadonlyMap<string, RecordPositions>;
  ranges: readonly Range[];
}

/** Filters, sorts and cuts matches by their positions. */
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
