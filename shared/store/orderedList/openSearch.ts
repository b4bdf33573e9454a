import type { RawItem, Table } from "../client.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import { hasAll, type IndexedFieldExtractor, readEntryIds } from "./indexEntries.ts";
import { createListState } from "./listState.ts";
import type { OpenPage, Page } from "./readPage.ts";

/**
 * Maximum number of matches that a search sorts although its pages have fewer. Sorting reads every match, at half a unit
 * for a record of at most 4 KB, on later pages at a whole unit.
 */
const defaultMaxSorted = 100;

/** A search in a list with plain entries. */
export interface Search {
  /** The values that a record must have: at least one. */
  terms: readonly IndexedField[];
  /** The ids of all records that may match; absent if they follow from the index entries of the values. */
  candidates?: readonly string[] | undefined;
  offset: number;
  limit: number;
  /** Maximum number of matches that are sorted although they do not fit a page; smaller in tests. */
  maxSorted?: number | undefined;
}

/**
 * Opens a page of the records that have all the given values. The state of the page is the state of the whole list,
 * because any change of the list may change the matches.
 *
 * Up to 100 matches, or as many as fit a page, have the list's order: `read` reads all of them and sorts them by their
 * positions. More matches are in the order of their ids, so that `read` reads only the records of the page and the
 * entries of every value (54 bytes per match).
 *
 * Entries without a matching record never count as matches of a sorted page. Otherwise the total counts them.
 */
export async function openSearch(
  table: Table,
  list: OrderedList,
  search: Search,
  termsOf: IndexedFieldExtractor,
): Promise<OpenPage> {
  const order = list.orders.rank;
  const dayIndexes = await loadDayIndexes(table, order);
  const read = () => new SearchPage(table, list, search, termsOf).read();
  return { state: createListState(order, dayIndexes), read };
}

class SearchPage {
  readonly #table: Table;
  readonly #list: OrderedList;
  readonly #search: Search;
  readonly #termsOf: IndexedFieldExtractor;

  constructor(table: Table, list: OrderedList, search: Search, termsOf: IndexedFieldExtractor) {
    this.#table = table;
    this.#list = list;
    this.#search = search;
    this.#termsOf = termsOf;
  }

  async read(): Promise<Page> {
    const { candidates, offset, limit, maxSorted = defaultMaxSorted } = this.#search;
    const ids = candidates ?? (await this.#findIds());
    if (ids.length > Math.max(maxSorted, limit)) return this.#readUnsorted(ids);
    const matches = await this.#readMatches(ids);
    const sorted = matches.toSorted((a, b) => ((a.rank?.S ?? "") < (b.rank?.S ?? "") ? 1 : -1));
    return { total: sorted.length, records: sorted.slice(offset, offset + limit).map(textOf) };
  }

  async #readUnsorted(ids: readonly string[]): Promise<Page> {
    const { offset, limit } = this.#search;
    const page = ids.slice(offset, offset + limit);
    const matches = new Map((await this.#readMatches(page)).map((item) => [item.sk?.S, textOf(item)]));
    // Clients treat an empty page as the end of the list. A page of stale entries is therefore skipped.
    if (matches.size === 0 && page.length > 0) return this.#readUnsorted(ids.filter((id) => !page.includes(id)));
    return { total: ids.length, records: page.flatMap((id) => matches.get(id) ?? []) };
  }

  /**
   * Pages after the first read consistently. If they were older than the page before, they could skip records that the
   * matches since then have moved to a higher offset.
   */
  get #isConsistent(): boolean {
    return this.#search.offset > 0;
  }

  /** The ids that have an entry of every value, in the order of the ids. */
  async #findIds(): Promise<string[]> {
    const { terms } = this.#search;
    const options = { consistent: this.#isConsistent };
    const [first = [], ...others] = await Promise.all(
      terms.map((term) => readEntryIds(this.#table, this.#list, term, options)),
    );
    const sets = others.map((ids) => new Set(ids));
    // The entries have another order, because their keys are ids in base64url.
    return first.filter((id) => sets.every((ids) => ids.has(id))).sort();
  }

  /** Reads the records that have all values. Reads again consistently if an entry has no record with its value. */
  async #readMatches(ids: readonly string[]): Promise<RawItem[]> {
    const matches = await this.#readRecords(ids, this.#isConsistent);
    if (this.#isConsistent || this.#search.candidates || matches.length === ids.length) return matches;
    const found = new Set(matches.map(({ sk }) => sk?.S));
    const missing = ids.filter((id) => !found.has(id));
    return [...matches, ...(await this.#readRecords(missing, true))];
  }

  async #readRecords(ids: readonly string[], consistent: boolean): Promise<RawItem[]> {
    const keys = ids.map((id) => recordKey(this.#list, id));
    const items = await this.#table.batchGetRaw(keys, { consistent, attributes: ["body", "rank"] });
    return items.filter((item) => hasAll(this.#termsOf(JSON.parse(textOf(item))), this.#search.terms));
  }
}

const textOf = ({ body }: RawItem) => body?.S ?? "";
