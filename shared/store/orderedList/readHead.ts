import type { Table } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { formatPosition } from "../keys/positions.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import { countRecords, selectDays } from "./planPage.ts";

/** The end of a list at one moment. */
export interface ListHead {
  /** The last position that the list has allocated; undefined if there is none. */
  head: string | undefined;
  /** The generation of the list; undefined if the list was never rebuilt. */
  generation: number | undefined;
  /** Number of records in the list. */
  records: number;
}

/**
 * Reads the end of a list, consistently. All records that change later get a position after it.
 *
 * @throws ServiceError "unavailable" if concurrent writers change the list during every attempt
 */
export async function readHead(table: Table, order: ListOrder): Promise<ListHead> {
  const dayIndexes = await loadDayIndexes(table, order);
  const days = selectDays(dayIndexes, {});
  const [newest] = days.toSorted(([one], [other]) => (one < other ? 1 : -1));
  return {
    head: newest && formatPosition(newest[0], newest[1].allocated - 1),
    generation: dayIndexes.at(-1)?.generation,
    records: countRecords(days),
  };
}
