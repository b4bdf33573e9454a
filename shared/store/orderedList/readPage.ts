import type { RawItem, Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import type { DayIndex } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import { createListState, type ListState } from "./listState.ts";
import { type PageWindow, planPage } from "./planPage.ts";
import { readSlots, recordsPerQuery } from "./readSlots.ts";
import { resolveSlots } from "./resolveSlots.ts";

/**
 * A page of a list: the number of records in the window, and the page's records as JSON texts, in order. A damaged record keeps its
 * place: its text is `damagedText`.
 */
export interface Page {
  total: number;
  records: string[];
}

/** A page whose state is known and whose records are not read yet. */
export interface OpenPage {
  state: ListState;
  read(): Promise<Page>;
}

interface PageOptions extends ItemOptions {
  /** The attribute to return of each item; default the record's text. */
  attribute?: "body" | "sk";
}

interface ItemOptions {
  order?: keyof OrderedList["orders"];
  /**
   * Maximum number of items per query. For items that are smaller than records, callers can set a number above the
   * default.
   */
  perQuery?: number;
  /** Returns the items that the index shows, even if it shows none. The caller handles retries. */
  canBePartial?: boolean;
}

/** A record's text and its position in the list. The text of a damaged record is `damagedText`. */
export interface PositionedRecord {
  rank: string;
  value: string;
}

/**
 * Opens one page of an ordered list: reads the day indexes; `read` of the result reads the records. The cost depends
 * only on the size of the page, not on its offset (docs/spec.md#pagination).
 *
 * A page takes two sequential reads, and one or two more if its days have empty sequence numbers. A record that changes
 * between the reads, or that the index does not show yet, may be missing from the page. But a page never has outdated
 * records, and unchanged records never shift to another offset. If all records are missing, `read` repeats the read for
 * some seconds. So only a page after the last record is empty.
 *
 * @throws ServiceError "unavailable" (also from `read`) if concurrent writers change the list during every attempt, or
 *   if the index shows no record of the page
 */
export async function openPage(
  table: Table,
  list: OrderedList,
  window: PageWindow,
  options: PageOptions = {},
): Promise<OpenPage> {
  const { attribute = "body" } = options;
  const { state, read } = await openItems(table, list, window, [attribute], options);
  return {
    state,
    read: async () => {
      const { total, items } = await read();
      return { total, records: items.map((item) => item[attribute]?.S ?? "") };
    },
  };
}

/** Like `openPage`, but returns the requested attributes of each item. It also reads pages of index entries. */
export async function openItems(
  table: Table,
  list: OrderedList,
  window: PageWindow,
  attributes: readonly string[],
  { order: orderName = "rank", perQuery = recordsPerQuery, canBePartial: partial = false }: ItemOptions = {},
): Promise<{ state: ListState; read(): Promise<{ total: number; items: RawItem[] }> }> {
  const order = list.orders[orderName];
  if (!order) throw new Error(`${list.pk} has no order ${orderName}`);
  const opened = await loadDayIndexes(table, order, window);
  const read = () => {
    let known: readonly DayIndex[] | undefined = opened;
    return retryOnConflict(table.clock, async () => {
      const isFirst = known !== undefined;
      const dayIndexes = known ?? (await loadDayIndexes(table, order, window));
      // A retry loads the day indexes again: if items do not fit the day indexes, the items are newer.
      known = undefined;
      const { total, parts } = planPage(dayIndexes, window);
      const exact = await resolveSlots(table, order, parts, { consistent: !isFirst });
      const found = await readSlots({ table, list, order, attributes, perQuery }, parts, exact);
      // Clients treat an empty page as the end of the list.
      if (parts.length > 0 && found.length === 0 && !partial) throw new LaggingIndexError(list.pk);
      return { total, items: found.map(({ item }) => item) };
    });
  };
  return { state: createListState(order, opened), read };
}

/** Reads one page of an ordered list, for callers that do not need its state. */
export async function readPage(...page: Parameters<typeof openPage>): Promise<Page> {
  return (await openPage(...page)).read();
}

/**
 * Reads one page of an ordered list with the position of each record. If the index does not show all records yet, the
 * page has fewer records.
 */
export async function readPositionedPage(
  table: Table,
  list: OrderedList,
  window: PageWindow,
): Promise<{ total: number; places: PositionedRecord[] }> {
  const { read } = await openItems(table, list, window, ["body"], { canBePartial: true });
  const { total, items } = await read();
  return { total, places: items.map(({ rank, body }) => ({ rank: rank?.S ?? "", value: body?.S ?? "" })) };
}
