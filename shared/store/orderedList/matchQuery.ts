import { formatPosition, lastSlot, positionToNumber } from "../keys/positions.ts";
import type { DayWindow } from "./dayIndexItems.ts";
import type { OrderName, RecordPositions } from "./indexEntries.ts";
import type { Range } from "./readPositionedRecords.ts";

/** Which matches are wanted, in which order: windows of days by the order they are days of. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order?: OrderName;
  windows?: Partial<Record<OrderName, DayWindow>>;
  /**
   * The customer that most matches belong to, where the list is also kept by customer: their records then stand together
   * and are read as densely as those of a page. Matches of others are read one by one. Asked for with the entries.
   */
  customerId?: () => Promise<string | undefined>;
}

/** The places of a page's records, how many match in all, and which of the records the index by customer has together. */
export interface FoundPage {
  total: number;
  page: ReadonlyMap<string, RecordPositions>;
  ranges: readonly Range[];
}

/** Sorts and cuts places. */
export function selectPage<Place extends RecordPositions>(
  found: readonly (readonly [id: string, Place])[],
  { offset, limit, order = "rank", windows = {} }: MatchQuery,
): { total: number; page: Map<string, Place> } {
  const matches = found
    .filter(([, places]) => isInWindows(places, windows))
    .sort(([, a], [, b]) => (b[order] ?? 0) - (a[order] ?? 0));
  return { total: matches.length, page: new Map(matches.slice(offset, offset + limit)) };
}

/** Whether places lie within all windows (days inclusive). */
export function isInWindows(places: RecordPositions, windows: Partial<Record<OrderName, DayWindow>>): boolean {
  return Object.entries(windows).every(([order, { from, to }]) => {
    const place = places[order as OrderName] ?? 0;
    return (
      (!from || place >= positionToNumber(formatPosition(from, 0))) &&
      (!to || place <= positionToNumber(formatPosition(to, lastSlot)))
    );
  });
}
