import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { daysAgo } from "../data/fill.ts";

/** Compares the customers that changed in the last week with a page of all customers of the same size. */
export async function windows(bench: Bench): Promise<void> {
  const { crbId } = await bench.data.customers(bench.records);
  const list = recordList(crbId, "customer");
  const read = (offset: number, limit: number, from?: string) =>
    costOf(bench.table.client, () => readPage(bench.table, list, { offset, limit, from }));
  const from = daysAgo(7);
  const { total } = (await read(0, 1, from)).result;
  const limit = Math.min(1_000, total);
  const all = await read(0, limit);
  for (const offset of new Set([0, total - limit])) {
    const { readUnits } = await read(offset, limit, from);
    bench.figure(
      `Changed in the last 7 days, page of ${count(limit)} of ${count(total)} at offset ${count(offset)}, N = ${count(bench.records)}: read units against no filter`,
      readUnits / all.readUnits,
      "times",
      { atMost: 1.3 },
    );
  }
}
