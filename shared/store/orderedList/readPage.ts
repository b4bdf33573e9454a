import type { Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import type { DayIndex } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import type { OrderName } from "./indexEntries.ts";
import { createListState, type ListState } from "./listState.ts";
import { type PageWindow, planPage } from "./planPage.ts";
import { readSlots } from "./readSlots.ts";
import { resolveSlots } from "./resolveSlots.ts";

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
 * Opens one page of an ordered list: reads the day indexes; `read` of the result reads the records. The cost depends only
 * on the size of the page (docs/spec.md#pagination): two sequential reads, or one or two more if its days have empty
 * sequence numbers.
 *
 * A record that changes between the reads, or that the index does not show yet, may be missing. But a page never has
 * outdated records, and unchanged records never shift to another offset. Only a page after the last record is empty.
 *
 * @throws ServiceError "unavailable" (also from `read`) if concurrent writers change the list during every attempt, or if
 *   the index shows no record of the page
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
      let known: readonly DayIndex[] | undefined = opened;
      return retryOnConflict(table.clock, async () => {
        const consistent = known === undefined;
        // A retry loads the day indexes again: if items do not fit the day indexes, the items are newer.
        const dayIndexes = known ?? (await loadDayIndexes(table, order, window));
        known = undefined;
        const { total, parts } = planPage(dayIndexes, window);
        const exact = await resolveSlots(table, order, parts, { consistent });
        const found = await readSlots({ table, list, order, attributes: [attribute] }, parts, exact);
        // Clients treat an empty page as the end of the list.
        if (parts.length > 0 && found.length === 0) throw new LaggingIndexError(list.pk);
        return { total, records: found.map(({ item }) => item[attribute]?.S ?? "") };
      });
    },
  };
}

/** Reads one page of an ordered list, for callers that do not need its state. */
export async function readPage(...page: Parameters<typeof openPage>): Promise<Page> {
  return (await openPage(...page)).read();
}
