import type { Table } from "./client.ts";
import type { OrderedList } from "./keys/orderedLists.ts";
import { openPage } from "./orderedList/readPage.ts";

const pageSize = 500;

/**
 * Reads the texts of a day's sales in pages. If one is written meanwhile, others move to lower offsets, and some may be
 * missing.
 */
export async function* readSalesOfDay(table: Table, list: OrderedList, day: string): AsyncGenerator<string[]> {
  for (let offset = 0, isLast = false; !isLast; offset += pageSize) {
    const window = { offset, limit: pageSize, from: day, to: day };
    const { records } = await (await openPage(table, list, window, { order: "saleRank" })).read();
    yield records;
    isLast = records.length < pageSize;
  }
}
