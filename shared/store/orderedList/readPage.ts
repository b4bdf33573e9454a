import type { RawItem, Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { retryOnConflict, StaleReadError } from "../retryOnConflict.ts";
import type { DayIndex } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import { createListState, type ListState } from "./listState.ts";
import { type PageWindow, planPage } from "./planPage.ts";
import { readSlots, recordsPerQuery } from "./readSlots.ts";
import { resolveSlots } from "./resolveSlots.ts";

/** A page of a list: how many records the window holds in all, and the page's records as JSON texts, in order. */
export interface Page {
  total: number;
  records: string[];
}

/** A page of which so much is read as tells whether it has changed; the rest is read when it is wanted. */
export interface OpenPage {
  state: ListState;
  read(): Promise<Page>;
}

interface PageOptions extends ItemOptions {
  /** What to return of each item; the record's text when absent. */
  attribute?: "body" | "sk";
}

interface ItemOptions {
  order?: keyof OrderedList["orders"];
  /** How many items one query is to find, where they are smaller than records. */
  perQuery?: number;
  /** What the index shows of the page, though that be nothing: the caller waits by itself, or reads elsewhere. */
  canBePartial?: boolean;
}

/** A record where it stands in its list: its rank there, and its text. */
export interface PositionedRecord {
  rank: string;
  value: string;
}

/**
 * Begins to read one page of an ordered list, at a cost that depends on the page alone, not on its offset (docs/spec.md#pagination):
 * reads the day indexes. Its `read` goes on with the records.
 *
 * Two reads one after the other; one or two more where days of the page have empty slots. A record that changes between the
 * reads, or that the index does not show yet, may be absent from the page; none is shown as it was before, and one that does
 * not change is never shifted. Where that leaves nothing of it, it is read again for some seconds: only a page behind the
 * last record is empty.
 *
 * @throws ServiceError "unavailable" (`read` too) when writers keep the list from being seen in one state, or the index
 *   shows nothing of the page
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

/** The same, with some attributes of each item, small ones if there are many: what a page of entries is read by. */
export async function openItems(
  table: Table,
  list: OrderedList,
  window: PageWindow,
  attributes: readonly string[],
  { order: orderName = "rank", perQuery = recordsPerQuery, canBePartial: partial = false }: ItemOptions = {},
): Promise<{ state: ListState; read(): Promise<{ total: number; items: RawItem[] }> }> {
  const order = list.orders[orderName];
  if (!order) throw new Error(`${list.pk} is not kept by ${orderName}`);
  const opened = await loadDayIndexes(table, order, window);
  const read = () => {
    let known: readonly DayIndex[] | undefined = opened;
    return retryOnConflict(table.clock, async () => {
      const isFirst = known !== undefined;
      const dayIndexes = known ?? (await loadDayIndexes(table, order, window));
      // What does not fit them is newer than they are.
      known = undefined;
      const { total, parts } = planPage(dayIndexes, window);
      const exact = await resolveSlots(table, order, parts, { consistent: !isFirst });
      const found = await readSlots({ table, list, order, attributes, perQuery }, parts, exact);
      // Who walks a list takes an empty page for its end.
      if (parts.length > 0 && found.length === 0 && !partial) throw new StaleReadError(list.pk);
      return { total, items: found.map(({ item }) => item) };
    });
  };
  return { state: createListState(order, opened), read };
}

/** Reads one page of an ordered list to its end: `openPage` where nobody asks whether it has changed. */
export async function readPage(...page: Parameters<typeof openPage>): Promise<Page> {
  return (await openPage(...page)).read();
}

/**
 * Reads one page of an ordered list with the rank of each of its records: as they stand now, so that it is too short where the
 * index does not show all of them yet.
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
