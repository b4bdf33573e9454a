import { windowRequired } from "../../api/errors.ts";
import type { Table } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { parsePosition, positionToNumber } from "../keys/positions.ts";
import { mapInGroups } from "../mapInGroups.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import { type DayWindow, loadDayIndexes } from "./dayIndexItems.ts";
import {
  hasAll,
  type IndexedFieldExtractor,
  type OrderName,
  type RecordPlace,
  readEntries,
  toIndexedDay,
} from "./indexEntries.ts";
import { createListState, joinStates } from "./listState.ts";
import { isInWindows, type MatchQuery, selectPage } from "./matchQuery.ts";
import { countRecords, selectDays } from "./planPage.ts";
import type { OpenPage, Page } from "./readPage.ts";
import { denseRanges, readPositionedRecords } from "./readPositionedRecords.ts";

/** A request for a page of the records of a customer. */
export interface CustomerQuery extends MatchQuery {
  /** Maximum number of the customer's records; undefined if the window of sale days limits them. */
  maxMatches: number | undefined;
  /**
   * Finds the id of the customer who has most of the matches. The records of this customer are read in ranges of the
   * index by customer, all others by id. The id is resolved while the entries are read.
   */
  customerId: () => Promise<string | undefined>;
}

/**
 * Opens the page of the records that have a value, in an order of the list. The state of the page is the state of the
 * whole list, because any change of the list may change the matches.
 *
 * `read` reads all entries of the value (about 70 bytes per match), or those in the window of sale days, but only the
 * records of the page. `read` checks that each record still has the value, and omits
 * records that have changed since the entries were read. If no record remains, it reads the page again.
 *
 * @throws ServiceError "window_required" (from `read`) if more than `maxMatches` records have the value
 */
export async function openMatches(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  query: CustomerQuery,
  termsOf: IndexedFieldExtractor,
): Promise<OpenPage> {
  const { maxMatches, windows } = query;
  const order = list.orders.rank;
  const dayIndexes = await loadDayIndexes(table, order);
  const candidates = async (consistent: boolean) => {
    if (maxMatches === undefined) return readEntries(table, list, term, { consistent, saleDays: windows?.saleRank });
    const found = await readEntries(table, list, term, { consistent, max: maxMatches + 1 });
    if (found.size > maxMatches) throw windowRequired();
    return found;
  };
  // A damaged record keeps its place, as its entry says.
  const isMatch = (text: string) => text === damagedText || hasAll(termsOf(JSON.parse(text)), [term]);
  return {
    state: createListState(order, dayIndexes),
    read: () => readMatches(table, list, query, candidates, isMatch, query.customerId),
  };
}

/**
 * Opens the page of the records that lie within windows of both orders. `read` reads the entries of all days in the
 * narrower window, and the records of the page.
 */
export async function openWindowIntersection(
  table: Table,
  list: OrderedList,
  query: MatchQuery & { windows: Record<OrderName, DayWindow> },
): Promise<OpenPage> {
  const { rank, saleRank } = list.orders;
  if (!saleRank) throw new Error(`${list.pk} has no order by sale day`);
  const { windows } = query;
  const [byRank, bySaleRank] = await Promise.all([
    loadDayIndexes(table, rank, windows.rank),
    loadDayIndexes(table, saleRank, windows.saleRank),
  ]);
  const days = selectDays(byRank, windows.rank);
  const saleDays = selectDays(bySaleRank, windows.saleRank);
  const candidates =
    countRecords(days) < countRecords(saleDays)
      ? (consistent: boolean) => entriesOfUpdateDays(table, list, names(days), windows.rank, consistent)
      : (consistent: boolean) => entriesOfDays(table, list, "saleRank", names(saleDays), consistent);
  return {
    state: joinStates(createListState(rank, byRank), createListState(saleRank, bySaleRank)),
    read: () => readMatches(table, list, query, candidates, () => true),
  };
}

/**
 * Maximum number of days whose entries are read at the same time. With more, new connections time out while the process
 * parses responses.
 */
const maxDaysAtOnce = 16;

/**
 * Reads the entries of days in the order of updates. A record that changes during the read moves to the newest day. The
 * newest day is therefore read last, so that the record is found there if it was missed on its old day.
 */
async function entriesOfUpdateDays(
  table: Table,
  list: OrderedList,
  days: readonly string[],
  window: DayWindow,
  consistent: boolean,
): Promise<Map<string, RecordPlace>> {
  const read = (some: readonly string[]) => entriesOfDays(table, list, "rank", some, consistent);
  const sorted = days.toSorted();
  const older = await read(sorted.slice(0, -1));
  const since = { ...window, from: sorted.at(-1) ?? window.from };
  const dayIndexes = await loadDayIndexes(table, list.orders.rank, since);
  return new Map([...older, ...(await read(names(selectDays(dayIndexes, since))))]);
}

const names = (days: readonly (readonly [string, unknown])[]) => days.map(([day]) => day);

/** Reads the entries of days. A record that moves to another of the days during the read may be missed. */
async function entriesOfDays(
  table: Table,
  list: OrderedList,
  order: OrderName,
  days: readonly string[],
  consistent: boolean,
): Promise<Map<string, RecordPlace>> {
  const found = new Map<string, RecordPlace>();
  const read = (day: string) => readEntries(table, list, toIndexedDay(order, day), { consistent });
  for await (const group of mapInGroups(days, maxDaysAtOnce, read)) {
    for (const entries of group) for (const [id, positions] of entries) found.set(id, positions);
  }
  return found;
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
    const countBetween = (first: number, last: number) =>
      [...found.values()].filter(({ rank }) => rank >= first && rank <= last).length;
    const ranges = customer ? denseRanges([...page.values()], countBetween) : [];
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
