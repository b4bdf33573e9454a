import { handler as listCustomers } from "../../../functions/customers/listCustomers.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { type Bench, count, listSizes } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { compare } from "../compare.ts";
import { type Business, callOf } from "../data/business.ts";
import { listCustomersByTheBook } from "../textbook.ts";

/** The longest list on which the textbook handler is measured. It would need minutes for a page of a longer list. */
const textbookLimit = 100_000;

/** Compares a page far down a list with its first page, in read units, and with the textbook handler, in time. */
export async function deepPages(bench: Bench): Promise<void> {
  for (const records of listSizes(bench.records, 1_000)) {
    const business = await bench.data.customers(records);
    for (const limit of [1_000, 10]) await unitsOfPages(bench, business, records, limit);
  }
  for (const records of listSizes(Math.min(bench.records, textbookLimit), 1_000)) {
    await timesOfDeepPage(bench, records);
  }
}

async function unitsOfPages(bench: Bench, { crbId }: Business, records: number, limit: number): Promise<void> {
  const list = recordList(crbId, "customer");
  const page = (offset: number) => costOf(bench.table.client, () => readPage(bench.table, list, { offset, limit }));
  const first = await page(0);
  const deep = await page(records - 1_000);
  bench.point("pageUnits", `page of ${count(limit)} at offset 0`, records, first.readUnits);
  bench.point("pageUnits", `page of ${count(limit)} at offset N - 1,000`, records, deep.readUnits);
  // A list that is only as long as the page has no depth.
  if (records < 10_000) return;

  const name = `Page of ${count(limit)} at offset N - 1,000, N = ${count(records)}`;
  const ratio = deep.readUnits / first.readUnits;
  // A day that is larger than a segment adds up to one read unit. A page of 10 takes two without it.
  bench.figure(`${name}: read units against offset 0`, ratio, "times", { atMost: limit === 10 ? 1.5 : 1.05 });
  const bar = limit === 10 ? { atMost: 3 } : undefined;
  bench.figure(`${name}: read units`, deep.readUnits, "units", bar);
  const wrong = [first, deep].filter(({ result }) => result.total !== records || result.records.length !== limit);
  bench.figure(`${name}: pages with a wrong total or size`, wrong.length, "pages", { atMost: 0 });
}

async function timesOfDeepPage(bench: Bench, records: number): Promise<void> {
  const query = { limit: 1_000, offset: records - 1_000 };
  const business = await bench.data.customers(records);
  const textbook = await bench.data.textbookCustomers(records);
  bench.progress(`Timing the deep page of ${count(records)} customers`);
  const { milliseconds, ratio } = await compare(
    {
      service: callOf(listCustomers, business, "/customers", { query }),
      textbook: callOf((event) => listCustomersByTheBook(event, { total: true }), textbook, "/customers", { query }),
    },
    // Few rounds: the difference is a hundredfold, and the textbook handler's page takes seconds.
    { rounds: 3, warmUp: 1 },
  );
  bench.point("pageTime", "this service", records, milliseconds.service);
  bench.point("pageTime", "textbook handler", records, milliseconds.textbook);
  if (records !== Math.min(bench.records, textbookLimit)) return;
  const name = `Page of 1,000 at offset N - 1,000, N = ${count(records)}`;
  bench.figure(`${name}: time`, milliseconds.service, "ms");
  bench.figure(`${name}: time of the textbook handler`, milliseconds.textbook, "ms");
  // The textbook handler reads the whole list. Its time grows with N, and so does the bar, which is 50 at 100,000.
  bench.figure(`${name}: textbook handler against the service`, ratio("textbook", "service"), "times", {
    atLeast: 50 * (records / textbookLimit),
  });
}
