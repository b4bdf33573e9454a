import { windowRequired } from "../../api/errors.ts";
import { maxClockOffsetMs, maxLagMs, type Table } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { parsePosition } from "../keys/positions.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import { type DayWindow, loadDayIndexes } from "./dayIndex.ts";
import { type OrderName, placeOf, type RecordPlace, readEntries } from "./indexEntries.ts";
import { countRecords, isDayInWindow, selectDays } from "./planPage.ts";
import { createListState, joinStates, type OpenPage, openPage, type Page } from "./readPage.ts";
import { readPlaces } from "./readPlaces.ts";
import { denseRanges, readPositionedRecords } from "./readPositionedRecords.ts";

type Windows = Partial<Record<OrderName, DayWindow>>;

/** A request for a page of matches, with the order of the page and a window of days for each order. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order: OrderName;
  windows?: Windows;
}

interface CustomerQuery extends MatchQuery {
  /** Each match has the index entry of one of these values. */
  terms: readonly IndexedField[];
  isMatch: (record: Record<string, unknown>) => boolean;
  /** Maximum number of the customer's records; undefined if the window of sale days limits them. */
  maxMatches: number | undefined;
  /** Finds the customer of most matches. These records are read in ranges of the index by customer, others by id. */
  customerId: () => Promise<string | undefined>;
}

/**
 * Opens the page of a customer's records, in an order of the list. `read` reads all entries of the customer (about 70 bytes
 * each), or those in the window of sale days, and the records of the page.
 *
 * @throws ServiceError "window_required" (from `read`) if there are more than `maxMatches` matches
 */
export async function openMatches(table: Table, list: OrderedList, query: CustomerQuery): Promise<OpenPage> {
  const { maxMatches, windows } = query;
  const order = list.orders.rank;
  const dayIndexes = await loadDayIndexes(table, order);
  const limits = maxMatches === undefined ? { saleDays: windows?.saleRank } : { max: maxMatches + 1 };
  // If the list has not changed lately, any read shows all entries that a previous page has shown.
  const changedAt = Math.max(...dayIndexes.map((dayIndex) => dayIndex.changedAt));
  const mayLag = table.clock.now().getTime() - changedAt < maxLagMs + 2 * maxClockOffsetMs;
  const candidates = async (consistent: boolean) => {
    const reading = { ...limits, consistent: consistent && mayLag };
    const found = await Promise.all(query.terms.map((term) => readEntries(table, list, term, reading)));
    const places = new Map(found.flatMap((ofTerm) => [...ofTerm]));
    if (maxMatches !== undefined && places.size > maxMatches) throw windowRequired();
    return places;
  };
  // A damaged record keeps its place, as its entry says.
  const isMatch = (text: string) => text === damagedText || query.isMatch(JSON.parse(text));
  return {
    state: createListState(order, dayIndexes),
    read: () => readMatches(table, list, query, candidates, isMatch, query.customerId),
  };
}

/** Opens a page of the records in windows of both orders, newest sale day first. `read` reads the narrower window. */
export async function openWindowIntersection(
  table: Table,
  list: OrderedList,
  query: Omit<MatchQuery, "order"> & { windows: Record<OrderName, DayWindow> },
): Promise<OpenPage> {
  const { rank, saleRank } = list.orders;
  if (!saleRank) throw new Error(`${list.pk} has no order by sale day`);
  const { windows, offset, limit } = query;
  const [byRank, bySaleRank] = await Promise.all([loadDayIndexes(table, rank), loadDayIndexes(table, saleRank)]);
  const updated = countRecords(selectDays(byRank, windows.rank));
  const sold = countRecords(selectDays(bySaleRank, windows.saleRank));
  // A window of updates that excludes nothing is none.
  if (updated === countRecords(selectDays(byRank, {}))) {
    return openPage(table, list, { offset, limit, ...windows.saleRank }, { order: "saleRank" });
  }
  const narrower = updated < sold ? { order: rank, days: windows.rank } : { order: saleRank, days: windows.saleRank };
  const isWanted = (place: RecordPlace) => isInWindows(place, windows);
  const candidates = () => readPlaces(table, list, narrower.order, narrower.days, isWanted);
  return {
    state: joinStates(createListState(rank, byRank), createListState(saleRank, bySaleRank)),
    read: () => readMatches(table, list, { ...query, order: "saleRank" }, candidates, () => true),
  };
}

/** Reads the records of a page of matches, without those that have changed since their places were read. */
async function readMatches(
  table: Table,
  list: OrderedList,
  query: MatchQuery,
  candidates: (consistent: boolean) => Promise<Map<string, RecordPlace>>,
  isMatch: (text: string) => boolean,
  customerId?: () => Promise<string | undefined>,
): Promise<Page> {
  // The position in each entry whose record does not have the value, by record id. A damaged record leaves such entries
  // when it is written again, until `lists rebuild`. A later change of the record gives its valid entries another position.
  const stale = new Map<string, string>();
  const { offset, limit, order, windows } = query;
  let isRetry = false;
  return retryOnConflict(table.clock, async () => {
    // Older entries than those of the page before could skip records that have moved to a higher offset in between.
    const [found, customer] = await Promise.all([candidates(offset > 0), customerId?.()]);
    const matches = [...found]
      .filter(([id, place]) => stale.get(id) !== place.rank && isInWindows(place, windows))
      .sort(([, a], [, b]) => (sortKey[order](a) < sortKey[order](b) ? 1 : -1));
    const page = new Map(matches.slice(offset, offset + limit));
    const ranges = customer && !isRetry ? denseRanges([...page.values()], found.values()) : [];
    const bodies = new Map<string | undefined, string>();
    const items = await readPositionedRecords(table, list, page, { customerId: customer, ranges, consistent: isRetry });
    for (const item of items) {
      const text = item.body?.S ?? "";
      if (isInWindows(placeOf(item), windows) && isMatch(text)) bodies.set(item.sk?.S, text);
    }
    // Clients treat an empty page as the end of the list.
    if (page.size > 0 && bodies.size === 0) {
      if (isRetry) for (const [id, { rank }] of page) stale.set(id, rank);
      isRetry = true;
      throw new LaggingIndexError(list.pk);
    }
    return { total: matches.length, records: [...page.keys()].flatMap((id) => bodies.get(id) ?? []) };
  });
}

/** The newest record of a day of sale has the newest position in the order of updates. */
const sortKey: Record<OrderName, (place: RecordPlace) => string> = {
  rank: ({ rank }) => rank,
  saleRank: ({ rank, saleDay }) => `${saleDay} ${rank}`,
};

/** Whether a record's days lie within all windows (days inclusive). */
const isInWindows = ({ rank, saleDay }: RecordPlace, windows: Windows = {}): boolean =>
  isDayInWindow(parsePosition(rank).day, windows.rank ?? {}) && isDayInWindow(saleDay, windows.saleRank ?? {});
