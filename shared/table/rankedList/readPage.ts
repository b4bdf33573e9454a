import type { RawItem, Table } from "../client.ts";
import type { RankedList } from "../keys.ts";
import { untilCommitted } from "../untilCommitted.ts";
import type { Directory } from "./directory.ts";
import { loadDirectories } from "./directoryItems.ts";
import { exactSlots } from "./exactSlots.ts";
import { type ListState, stateOf } from "./listState.ts";
import { type PagePart, type PageWindow, planPage } from "./pagePlan.ts";
import { type Reading, readSlots, recordsPerQuery } from "./readSlots.ts";

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
  order?: keyof RankedList["orders"];
  /** Nothing but what stands there now, so that the page is too short where the index does not show all of it yet. */
  exact?: boolean;
  /** How many items one query is to find, where they are smaller than records. */
  perQuery?: number;
}

/** A record where it stands in its list: its rank there, and its text. */
export interface Placed {
  rank: string;
  value: string;
}

/**
 * Begins to read one page of a ranked list, at a cost that depends on the page alone, not on its offset (contract 4.1):
 * reads the directories. Its `read` goes on with the records.
 *
 * Two reads one after the other; one or two more where the page cuts a day that has empty slots. A record that changes
 * between the reads may be absent from the page; one that does not change is never shifted by it.
 *
 * @throws ServiceError "unavailable" (`read` too) when writers keep the list from being seen in one state
 */
export async function openPage(
  table: Table,
  list: RankedList,
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
  list: RankedList,
  window: PageWindow,
  attributes: readonly string[],
  { order: orderName = "rank", exact = false, perQuery = recordsPerQuery }: ItemOptions = {},
): Promise<{ state: ListState; read(): Promise<{ total: number; items: RawItem[] }> }> {
  const order = list.orders[orderName];
  if (!order) throw new Error(`${list.pk} is not kept by ${orderName}`);
  const opened = await loadDirectories(table, order, window);
  const read = () => {
    let known: readonly Directory[] | undefined = opened;
    return untilCommitted(table.clock, async () => {
      const isFirst = known !== undefined;
      const directories = known ?? (await loadDirectories(table, order, window));
      // What does not fit them is newer than they are.
      known = undefined;
      const { total, parts } = planPage(directories, window);
      const items = await itemsOf({ table, list, order, attributes, exact, perQuery, consistent: !isFirst }, parts);
      return { total, items };
    });
  };
  return { state: stateOf(order, opened), read };
}

/** Reads one page of a ranked list to its end: `openPage` where nobody asks whether it has changed. */
export async function readPage(...page: Parameters<typeof openPage>): Promise<Page> {
  return (await openPage(...page)).read();
}

/**
 * Reads one page of a ranked list with the rank of each of its records: as they stand now, so that it is too short where the
 * index does not show all of them yet.
 */
export async function readPlaces(
  table: Table,
  list: RankedList,
  window: PageWindow,
): Promise<{ total: number; places: Placed[] }> {
  const { read } = await openItems(table, list, window, ["body"], { exact: true });
  const { total, items } = await read();
  return { total, places: items.map(({ rank, body }) => ({ rank: rank?.S ?? "", value: body?.S ?? "" })) };
}

/**
 * Reads the records of a page's parts.
 *
 * Exact slots are needed where a part is cut from a day with empty slots. A day that is wanted whole is right as the
 * index shows it, when that is as many as the directory counts; if not, the index shows an older state of some, and the
 * exact slots tell of which.
 */
async function itemsOf(
  reading: Reading & { exact: boolean; consistent: boolean; perQuery: number },
  parts: readonly PagePart[],
): Promise<RawItem[]> {
  const { table, order, exact: isExact, perQuery, consistent } = reading;
  const needExact = parts.filter(({ counts, take }) => {
    return counts.live < counts.next && (isExact || take < counts.live || take > perQuery);
  });
  const exact = await exactSlots(table, order, needExact, { consistent });
  const found = await readSlots(reading, parts, exact);
  const shown = Map.groupBy(found, ({ day }) => day);
  const doubtful = parts.filter(({ day, counts, take }) => {
    return !exact.has(day) && counts.live < counts.next && shown.get(day)?.length !== take;
  });
  const checked = await exactSlots(table, order, doubtful, { consistent });
  return found.flatMap(({ day, slot, item }) => ((checked.get(day)?.includes(slot) ?? true) ? [item] : []));
}
