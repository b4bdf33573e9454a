import { windowRequired } from "../../api/errors.ts";
import { maxClockOffsetMs, maxLagMs, type Table } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { parsePosition, positionToNumber } from "../keys/positions.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import { type DayWindow, loadDayIndexes } from "./dayIndexItems.ts";
import { type OrderName, type RecordPlace, readEntries } from "./indexEntries.ts";
import { createListState, joinStates } from "./listState.ts";
import { isInWindows, type MatchQuery, selectPage } from "./matchQuery.ts";
import { countRecords, selectDays } from "./planPage.ts";
import { type OpenPage, openPage, type Page } from "./readPage.ts";
import { readPlaces } from "./readPlaces.ts";
import { denseRanges, readPositionedRecords } from "./readPositionedRecords.ts";

/** A request for a page of the records of a customer. */
export interface CustomerQuery extends MatchQuery {
  /** Each match has the index entry of one of these values. */
  terms: readonly IndexedField[];
  /** Whether a record of the list is a match. */
  isMatch: (record: Record<string, unknown>) => boolean;
  /** Maximum number of the customer's records; undefined if the window of sale days limits them. */
  maxMatches: number | undefined;
  /**
   * Finds the id of the customer who has most of the matches. The records of this customer are read in ranges of the
   * index by customer, all others by id. The id is resolved while the entries are read.
   */
  customerId: () => Promise<string | undefined>;
}

/**
 * Opens the page of a customer's records, in an order of the list. The state of the page is the state of the whole list,
 * because any change of the list may change the matches.
 *
 * `read` reads all entries of the customer (about 70 bytes per match), or those in the window of sale days, but only the
 * records of the page. On pages after the first, the entries take twice as many units if the list changed in the last minute. `read` checks that each record is still a match, and omits records that have changed since the
 * entries were read. If no record remains, it reads the page again.
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

/**
 * Opens the page of the records that lie within windows of both orders, newest sale day first. `read` reads the places
 * of all records in the narrower window, and the records of the page.
 */
export async function openWindowIntersection(
  table: Table,
  list: OrderedList,
  query: MatchQuery & { windows: Record<OrderName, DayWindow> },
): Promise<OpenPage> {
  const { rank, saleRank } = list.orders;
  if (!saleRank) throw new Error(`${list.pk} has no order by sale day`);
  const { windows, offset, limit } = query;
  const [byRank, bySaleRank] = await Promise.all([loadDayIndexes(table, rank), loadDayIndexes(table, saleRank)]);
  const [updated, sold] = [selectDays(byRank, windows.rank), selectDays(bySaleRank, windows.saleRank)].map(
    countRecords,
  );
  // A window of updates that excludes nothing is none.
  if (updated === countRecords(selectDays(byRank, {}))) {
    return openPage(table, list, { offset, limit, ...windows.saleRank }, { order: "saleRank" });
  }
  const narrower = (updated ?? 0) < (sold ?? 0) ? "rank" : "saleRank";
  const candidates = () => readPlaces(table, list, narrower, windows[narrower], (place) => isInWindows(place, windows));
  return {
    state: joinStates(createListState(rank, byRank), createListState(saleRank, bySaleRank)),
    read: () => readMatches(table, list, { ...query, order: "saleRank" }, candidates, () => true),
  };
}

/**
 * @param candidates reads the places of possible matches; its argument requests a consistent read
 * @param isMatch whether the record of a text has the values
 */
async function readMatches(
  table: Table,
  list: OrderedList,
  query: MatchQuery,
  candidates: (consistent: boolean) => Promise<Map<string, RecordPlace>>,
  isMatch: (text: string) => boolean,
  customerId?: () => Promise<string | undefined>,
): Promise<Page> {
  // Index entries whose record does not have the value: the position in each entry, by record id. A restore that mixes
  // items of different moments can leave an entry of a value that no record has, where `lists rebuild` does not find
  // it. The position is kept, because a later change of the record gives its valid entries another position.
  const stale = new Map<string, number>();
  let isRetry = false;
  return retryOnConflict(table.clock, async () => {
    // Pages after the first read consistently. If their entries were older than the entries of the previous page, they
    // could skip records that have moved to a higher offset in between.
    const [found, customer] = await Promise.all([candidates(query.offset > 0), customerId?.()]);
    for (const [id, { rank }] of found) if (stale.get(id) === rank) found.delete(id);
    const { total, page } = selectPage(found, query);
    const ranges = customer ? denseRanges([...page.values()], found.values()) : [];
    const bodies = new Map<string | undefined, string>();
    for (const { sk, body, rank, saleRank } of await readPositionedRecords(table, list, page, customer, ranges)) {
      const place = { rank: positionToNumber(rank?.S ?? ""), saleDay: parsePosition(saleRank?.S ?? "").day };
      const text = body?.S ?? "";
      if (isInWindows(place, query.windows ?? {}) && isMatch(text)) bodies.set(sk?.S, text);
    }
    // Clients treat an empty page as the end of the list.
    if (page.size > 0 && bodies.size === 0) {
      if (isRetry) for (const [id, { rank }] of await withoutMatch(table, list, page, isMatch)) stale.set(id, rank);
      isRetry = true;
      throw new LaggingIndexError(list.pk);
    }
    return { total, records: [...page.keys()].flatMap((id) => bodies.get(id) ?? []) };
  });
}

/**
 * Reads a page's records consistently. Returns the ids and positions of the records that do not exist or do not have
 * the values.
 */
async function withoutMatch(
  table: Table,
  list: OrderedList,
  page: ReadonlyMap<string, RecordPlace>,
  isMatch: (text: string) => boolean,
): Promise<[string, RecordPlace][]> {
  const keys = [...page.keys()].map((id) => recordKey(list, id));
  const items = await table.batchGetRaw(keys, { consistent: true, attributes: ["body"] });
  const matching = new Set(items.filter(({ body }) => isMatch(body?.S ?? "")).map(({ sk }) => sk?.S));
  return [...page].filter(([id]) => !matching.has(id));
}
