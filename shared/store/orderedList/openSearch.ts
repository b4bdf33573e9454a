import type { RawItem, Table } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { loadDayIndexes } from "./dayIndex.ts";
import { hasAll, type IndexedFieldExtractor, readEntries } from "./indexEntries.ts";
import { createListState, type OpenPage, type Page } from "./readPage.ts";

/** Up to this number of matches are all read, so that no stale entry counts. Each takes half a unit or more. */
const defaultMaxVerified = 100;

export interface Search {
  /** The values that a record must have: at least one. */
  terms: readonly IndexedField[];
  /** The ids of all records that may match; absent if they follow from the index entries of the values. */
  candidates?: readonly string[] | undefined;
  offset: number;
  limit: number;
  /** Maximum number of matches that are read although they do not fit a page; smaller in tests. */
  maxVerified?: number | undefined;
}

/**
 * Opens a page of the records that have all the given values. If all matches fit the first page, they have the list's order: no
 * other page can differ from it. All other pages are in the order of the ids, which no change alters, so that no match is on two
 * pages or on none, even if their number or `limit` changes between the pages. Of up to 100 matches, entries without a matching
 * record do not count. `read` reads the entries of every value (55 bytes per match) and the records of the page.
 */
export async function openSearch(
  table: Table,
  list: OrderedList,
  search: Search,
  termsOf: IndexedFieldExtractor,
): Promise<OpenPage> {
  const order = list.orders.rank;
  const dayIndexes = await loadDayIndexes(table, order);
  const { terms, candidates, offset, limit, maxVerified = defaultMaxVerified } = search;
  // If later pages were older than the page before, they could skip records that have moved to a higher offset.
  const isConsistent = offset > 0;
  const readRecords = async (ids: readonly string[], consistent: boolean): Promise<RawItem[]> => {
    const keys = ids.map((id) => recordKey(list, id));
    const items = await table.batchGetRaw(keys, { consistent, attributes: ["body", "rank"] });
    return items.filter((item) => {
      const text = textOf(item);
      // A damaged record keeps its place, as its entries say.
      return text === damagedText || hasAll(termsOf(JSON.parse(text)), terms);
    });
  };
  /** Reads the records that have all values. Reads again consistently if an entry has no record with its value. */
  const readMatches = async (ids: readonly string[]): Promise<RawItem[]> => {
    const matches = await readRecords(ids, isConsistent);
    if (isConsistent || candidates || matches.length === ids.length) return matches;
    const found = new Set(matches.map(({ sk }) => sk?.S));
    const missing = ids.filter((id) => !found.has(id));
    return [...matches, ...(await readRecords(missing, true))];
  };
  const readPage = async (ids: readonly string[]): Promise<Page> => {
    const page = ids.slice(offset, offset + limit);
    const matches = new Map((await readMatches(page)).map((item) => [item.sk?.S, textOf(item)]));
    // Clients treat an empty page as the end of the list. A page of stale entries is therefore skipped.
    if (matches.size === 0 && page.length > 0) return readPage(ids.filter((id) => !page.includes(id)));
    return { total: ids.length, records: page.flatMap((id) => matches.get(id) ?? []) };
  };
  /** Reads the ids that have an entry of every value, in the order of the ids. */
  const findIds = async (): Promise<readonly string[]> => {
    const reads = terms.map((term) => readEntries(table, list, term, { consistent: isConsistent }));
    const [first = new Map(), ...others] = await Promise.all(reads);
    // The entries have another order, because their keys are ids in base64url.
    return [...first.keys()].filter((id) => others.every((ids) => ids.has(id))).sort();
  };
  const read = async (): Promise<Page> => {
    const ids = candidates ?? (await findIds());
    const fits = (matches: number) => offset === 0 && matches <= limit;
    if (!candidates && ids.length > maxVerified && !fits(ids.length)) return readPage(ids);
    const matches = await readMatches(ids);
    const sorted = matches.toSorted(fits(matches.length) ? byNewestChange : byId);
    return { total: sorted.length, records: sorted.slice(offset, offset + limit).map(textOf) };
  };
  return { state: createListState(order, dayIndexes), read };
}

const byNewestChange = (a: RawItem, b: RawItem) => ((a.rank?.S ?? "") < (b.rank?.S ?? "") ? 1 : -1);
const byId = (a: RawItem, b: RawItem) => ((a.sk?.S ?? "") < (b.sk?.S ?? "") ? -1 : 1);

const textOf = ({ body }: RawItem) => body?.S ?? "";
