import type { RawItem, Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import type { DayIndex } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import type { OrderName } from "./indexEntries.ts";
import { createListState, type ListState } from "./listState.ts";
import { type PageWindow, planPage } from "./planPage.ts";
import { type Reading, readSlots } from "./readSlots.ts";
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

interface PageOptions {
  /** The attribute to return of each item; default the record's text. */
  attribute?: "body" | "sk";
  order?: OrderName;
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
  const { attribute = "body", order: orderName = "rank" } = options;
  const order = list.orders[orderName];
  if (!order) throw new Error(`${list.pk} has no order ${orderName}`);
  const opened = await loadDayIndexes(table, order, window);
  return {
    state: createListState(order, opened),
    read: async () => {
      const { total, items } = await readItems({ table, list, order, attributes: [attribute] }, window, opened);
      return { total, records: items.map((item) => item[attribute]?.S ?? "") };
    },
  };
}

/** @param opened the day indexes of the window, if they are read already */
function readItems(
  reading: Reading,
  window: PageWindow,
  opened?: readonly DayIndex[],
  { canBePartial = false } = {},
): Promise<{ total: number; items: RawItem[] }> {
  const { table, list, order } = reading;
  let known = opened;
  let isRetry = false;
  return retryOnConflict(table.clock, async () => {
    const dayIndexes = known ?? (await loadDayIndexes(table, order, window));
    const consistent = isRetry;
    // A retry loads the day indexes again: if items do not fit the day indexes, the items are newer.
    known = undefined;
    isRetry = true;
    const { total, parts } = planPage(dayIndexes, window);
    const exact = await resolveSlots(table, order, parts, { consistent });
    const found = await readSlots(reading, parts, exact);
    // Clients treat an empty page as the end of the list.
    if (parts.length > 0 && found.length === 0 && !canBePartial) throw new LaggingIndexError(list.pk);
    return { total, items: found.map(({ item }) => item) };
  });
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
  const reading = { table, list, order: list.orders.rank, attributes: ["body"] };
  const { total, items } = await readItems(reading, window, undefined, { canBePartial: true });
  return { total, places: items.map(({ rank, body }) => ({ rank: rank?.S ?? "", value: body?.S ?? "" })) };
}
