import type { Table } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { positionToNumber } from "../keys/positions.ts";
import { mapInGroups } from "../mapInGroups.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import { type DayWindow, loadDayIndexes } from "./dayIndexItems.ts";
import { dedicatedIndexOf, findInDedicatedIndex } from "./dedicatedIndexes.ts";
import {
  hasAll,
  type IndexedFieldExtractor,
  type OrderName,
  type RecordPositions,
  readEntries,
  toIndexedDay,
} from "./indexEntries.ts";
import { createListState, joinStates } from "./listState.ts";
import { type FoundPage, isInWindows, type MatchQuery, selectPage } from "./matchQuery.ts";
import { countRecords, selectDays } from "./planPage.ts";
import type { OpenPage, Page } from "./readPage.ts";
import { denseRanges, readPositionedRecords } from "./readPositionedRecords.ts";

/**
 * Opens the page of the records that have a value, in an order of the list. The state of the page is the state of the
 * whole list, because any change of the list may change the matches.
 *
 * `read` reads all entries of the value (about 78 bytes per match), but only the records of the page. If the value has a
 * dedicated index, it reads only the entries of the page. `read` checks that each record still has the value, and omits
 * records that have changed since the entries were read. If no record remains, it reads the page again.
 */
export async function openMatches(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  query: MatchQuery,
  termsOf: IndexedFieldExtractor,
): Promise<OpenPage> {
  const order = list.orders.rank;
  const dayIndexes = await loadDayIndexes(table, order);
  const own = dedicatedIndexOf(list, dayIndexes, term, table.clock.now());
  const candidates = (consistent: boolean) => readEntries(table, list, term, { consistent });
  // A damaged record keeps its place, as its entry says.
  const isMatch = (text: string) => text === damagedText || hasAll(termsOf(JSON.parse(text)), [term]);
  const find = own
    ? () => findInDedicatedIndex(table, own, query)
    : (isOfCustomer: boolean, stale: StaleEntries) => findAmong(candidates, query, isOfCustomer, stale);
  return { state: createListState(order, dayIndexes), read: () => readMatches(table, list, query, find, isMatch) };
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
    read: () =>
      readMatches(
        table,
        list,
        query,
        (_, stale) => findAmong(candidates, query, false, stale),
        () => true,
      ),
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
): Promise<Map<string, RecordPositions>> {
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
): Promise<Map<string, RecordPositions>> {
  const found = new Map<string, RecordPositions>();
  const read = (day: string) => readEntries(table, list, toIndexedDay(order, day), { consistent });
  for await (const group of mapInGroups(days, maxDaysAtOnce, read)) {
    for (const entries of group) for (const [id, positions] of entries) found.set(id, positions);
  }
  return found;
}

/** @param candidates reads the positions of possible matches; its argument requests a consistent read */
async function findAmong(
  candidates: (consistent: boolean) => Promise<Map<string, RecordPositions>>,
  query: MatchQuery,
  isOfCustomer: boolean,
  stale: StaleEntries,
): Promise<FoundPage> {
  // Pages after the first read consistently. If their entries were older than the entries of the previous page, they
  // could skip records that have moved to a higher offset in between.
  const found = await candidates(query.offset > 0);
  for (const [id, places] of found) if (stale.get(id) === places.rank) found.delete(id);
  const all = [...found.values()];
  const { total, page } = selectPage([...found], query);
  const countBetween = ({ rank: first = 0 }: RecordPositions, { rank: last = 0 }: RecordPositions) =>
    all.filter(({ rank = 0 }) => rank >= first && rank <= last).length;
  return { total, page, ranges: isOfCustomer ? denseRanges([...page.values()], countBetween) : [] };
}

/**
 * Index entries whose record does not have the value: the position in each entry, by record id. A restore that mixes
 * items of different moments can leave an entry of a value that no record has, where `lists rebuild` does not find it.
 * The position is kept, because a later change of the record gives its valid entries another position.
 */
type StaleEntries = ReadonlyMap<string, number | undefined>;

/**
 * @param find finds the positions of the page's records, without the stale entries; with `isOfCustomer`, also finds
 *   ranges of the customer's records, see `denseRanges`
 * @param isMatch whether the record of a text has the values
 */
async function readMatches(
  table: Table,
  list: OrderedList,
  { windows = {}, customerId }: MatchQuery,
  find: (isOfCustomer: boolean, stale: StaleEntries) => Promise<FoundPage>,
  isMatch: (text: string) => boolean,
): Promise<Page> {
  const stale = new Map<string, number | undefined>();
  let isRetry = false;
  return retryOnConflict(table.clock, async () => {
    const found = find(customerId !== undefined, stale);
    const [customer, { total, page, ranges }] = await Promise.all([customerId?.(), found]);
    const items = await readPositionedRecords(table, list, page, customer, customer ? ranges : []);
    const bodies = new Map<string | undefined, string>();
    for (const { sk, body, rank, saleRank } of items) {
      const places = {
        rank: positionToNumber(rank?.S ?? ""),
        ...(saleRank?.S && { saleRank: positionToNumber(saleRank.S) }),
      };
      const text = body?.S ?? "";
      if (isInWindows(places, windows) && isMatch(text)) bodies.set(sk?.S, text);
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
  page: ReadonlyMap<string, RecordPositions>,
  isMatch: (text: string) => boolean,
): Promise<[string, RecordPositions][]> {
  const keys = [...page.keys()].map((id) => recordKey(list, id));
  const items = await table.batchGetRaw(keys, { consistent: true, attributes: ["body"] });
  const matching = new Set(items.filter(({ body }) => isMatch(body?.S ?? "")).map(({ sk }) => sk?.S));
  return [...page].filter(([id]) => !matching.has(id));
}
