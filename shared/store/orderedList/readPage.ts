import type { Table } from "../client.ts";
import { DamagedRecordError, damagedText } from "../damagedRecords.ts";
import { type ListOrder, type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import { type DayIndex, loadDayIndexes } from "./dayIndex.ts";
import type { OrderName } from "./indexEntries.ts";
import { findRanks, type PageWindow, planPage } from "./planPage.ts";
import { readRanks } from "./readRanks.ts";

/** The number of records in the window, and a page of them as JSON texts; the text of a damaged one is `damagedText`. */
export interface Page {
  total: number;
  records: string[];
}

/** A page whose state is known and whose records are not read yet. */
export interface OpenPage {
  state: ListState;
  read(): Promise<Page>;
}

/** A record's text and its position in the list. The text of a damaged record is `damagedText`. */
export interface PositionedRecord {
  rank: string;
  value: string;
}

/**
 * Opens one page of an ordered list: reads the day indexes; `read` of the result reads the records. The cost depends only on the
 * size of the page (docs/spec.md#pagination): two sequential reads, or one or two more if its days have empty sequence numbers.
 *
 * A record that changes between the reads, or that the index does not show yet, may be missing. But a page never has
 * outdated records, and unchanged records never shift to another offset. Only a page after the last record is empty.
 *
 * @param options.attribute the attribute to return of each item; default the record's text
 * @throws ServiceError "unavailable" (also from `read`) if concurrent writers change the list during every attempt, or if
 *   the index shows no record of the page
 */
export async function openPage(
  table: Table,
  list: OrderedList,
  window: PageWindow,
  options: { attribute?: "body" | "sk"; order?: OrderName } = {},
): Promise<OpenPage> {
  const { attribute = "body", order: orderName = "rank" } = options;
  const order = list.orders[orderName];
  if (!order) throw new Error(`${list.pk} has no order ${orderName}`);
  const opened = await loadDayIndexes(table, order, window);
  return {
    state: createListState(order, opened),
    read: async () => {
      let known: readonly DayIndex[] | undefined = opened;
      return retryOnConflict(table.clock, async () => {
        const consistent = known === undefined;
        // A retry loads the day indexes again: if items do not fit the day indexes, the items are newer.
        const dayIndexes = known ?? (await loadDayIndexes(table, order, window));
        known = undefined;
        const { total, parts } = planPage(dayIndexes, window);
        const ranks = await findRanks(table, order, parts, { consistent });
        const found = await readRanks({ table, list, order, attributes: [attribute] }, ranks);
        // Clients treat an empty page as the end of the list.
        if (parts.length > 0 && found.length === 0) throw new LaggingIndexError(list.pk);
        return { total, records: found.map(({ item }) => item[attribute]?.S ?? "") };
      });
    },
  };
}

/** Reads one page of an ordered list, for callers that do not need its state. */
export const readPage = async (...page: Parameters<typeof openPage>): Promise<Page> => (await openPage(...page)).read();

/** The state of the lists of a response. It is read first, so that a response is never older than its state. */
export interface ListState {
  /** Identifies the state. If this text is the same when a request is repeated, the response is the same, too. */
  text: string;
  /** Time of the last change of any of the lists, epoch ms; 0 if no read for the response can lag behind the state. */
  changedAt: number;
}

/** The state of an order, or of some of its years. Versions alone can repeat in an emptied or restored table. */
export function createListState(order: ListOrder, dayIndexes: readonly DayIndex[]): ListState {
  const years = dayIndexes.map(({ year, version, changedAt }) => [year, version, changedAt]);
  return {
    text: JSON.stringify([order.dayIndexPartition, years]),
    changedAt: Math.max(0, ...dayIndexes.map(({ changedAt }) => changedAt)),
  };
}

/** Joins the states of the lists from which one response is made. */
export function joinStates(...states: readonly ListState[]): ListState {
  return {
    text: states.map(({ text }) => text).join("\n"),
    changedAt: Math.max(...states.map(({ changedAt }) => changedAt)),
  };
}

/** Reads a replicated record as the API's JSON text; undefined if it does not exist. @throws DamagedRecordError */
export async function readRecord(table: Table, list: OrderedList, id: string): Promise<string | undefined> {
  const item = await table.get(recordKey(list, id), { attributes: ["body", "hash"] });
  if (item?.body === damagedText) throw new DamagedRecordError(list.pk);
  return item?.body as string | undefined;
}
