import type { Table } from "./client.ts";
import type { OrderedList } from "./keys/orderedLists.ts";
import { openPage } from "./orderedList/readPage.ts";

const pageSize = 500;

/**
 * Reads the texts of a day's sales in pages, `damagedText` for a damaged one. A sale that is written meanwhile takes another position, so
 * the sales that follow it move to lower offsets, and some may be missing.
 *
 * @param day yyyy-MM-dd
 */
export async function* readSalesOfDay(table: Table, list: OrderedList, day: string): AsyncGenerator<string[]> {
  for (let offset = 0, isLast = false; !isLast; offset += pageSize) {
    const window = { offset, limit: pageSize, from: day, to: day };
    const { records } = await (await openPage(table, list, window, { order: "saleRank" })).read();
    yield records;
    isLast = records.length < pageSize;
  }
}
