import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { type Bench, count, listSizes } from "../bench.ts";
import { costOf } from "../capacity.ts";
import type { Business } from "../data/business.ts";

/** Compares the read units of a page far down a list with those of its first page. */
export async function deepPages(bench: Bench): Promise<void> {
  for (const records of listSizes(bench.records, 10_000)) {
    const business = await bench.data.customers(records);
    for (const limit of [1_000, 10]) await unitsOfPages(bench, business, records, limit);
  }
}

async function unitsOfPages(bench: Bench, { crbId }: Business, records: number, limit: number): Promise<void> {
  const list = recordList(crbId, "customer");
  const page = (offset: number) => costOf(bench.table.client, () => readPage(bench.table, list, { offset, limit }));
  const first = await page(0);
  const deep = await page(records - 1_000);
  const name = `Page of ${count(limit)} at offset N - 1,000, N = ${count(records)}`;
  const ratio = deep.readUnits / first.readUnits;
  // A day that is larger than a segment adds up to one read unit. A page of 10 takes two without it.
  bench.figure(`${name}: read units against offset 0`, ratio, "times", { atMost: limit === 10 ? 1.5 : 1.05 });
  const bar = limit === 10 ? { atMost: 3 } : undefined;
  bench.figure(`${name}: read units`, deep.readUnits, "units", bar);
  const wrong = [first, deep].filter(({ result }) => result.total !== records || result.records.length !== limit);
  bench.figure(`${name}: pages with a wrong total or size`, wrong.length, "pages", { atMost: 0 });
}
