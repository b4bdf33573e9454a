import { handler as listChanges } from "../../../functions/changes/listChanges.ts";
import { followChanges } from "../../../shared/store/followChanges.ts";
import { type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { type Business, callOf } from "../data/business.ts";
import { busyDays } from "./busyList.ts";

/**
 * Measures the cost of keeping a copy by the changes: against the pages of the list, for the whole list, and when nothing is
 * new.
 */
export async function changes(bench: Bench): Promise<void> {
  const all = await bench.data.customers(bench.records);
  const name = `Changes, N = ${count(bench.records)}`;
  const cursor = await readWholeList(bench, recordList(all.crbId, "customer"), name);
  await nothingNew(bench, all, cursor, name);

  const days = busyDays(bench);
  const busy = await bench.data.busyCustomers(days);
  const list = recordList(busy.crbId, "customer");
  const busyName = `Changes of a list that is busy for ${count(days)} days`;
  await nothingNew(bench, busy, await readWholeList(bench, list, busyName), busyName);
}

/**
 * Reads a whole list by its changes, and by its pages.
 * @returns the last cursor
 */
async function readWholeList(bench: Bench, list: OrderedList, name: string): Promise<string> {
  const { table } = bench;
  const limit = 1_000;
  const sums = { changes: 0, pages: 0 };
  let [cursor, total, seen, hasMore]: [string | undefined, number, number, boolean] = [undefined, 1, 0, true];
  for (let offset = 0; hasMore || offset < total; offset += limit) {
    bench.progress(`${name}: ${count(offset)}`);
    // The two begin at opposite ends; reading them in step keeps the sizes of their pages similar.
    const page = await costOf(table.client, () => readPage(table, list, { offset, limit }));
    const part = await costOf(table.client, () => followChanges(table, list, { cursor, limit }));
    cursor = part.result.createCursorAfter(part.result.places.length);
    seen += part.result.places.length;
    hasMore = part.result.hasMore;
    total = page.result.total;
    sums.pages += page.readUnits;
    sums.changes += part.readUnits;
  }
  if (seen !== total) throw new Error(`${seen} of ${total} records came as changes`);
  const whole = sums.changes / sums.pages;
  bench.figure(`${name}: read units of all of them against reading all pages of the list`, whole, "times", {
    atMost: 1.1,
  });
  const oldest = await costOf(table.client, () => readPage(table, list, { offset: total - limit, limit }));
  const first = await costOf(table.client, () => followChanges(table, list, { limit }));
  const ratio = first.readUnits / oldest.readUnits;
  bench.figure(`${name}, the first 1,000: read units against that page of the list`, ratio, "times", { atMost: 1.05 });
  return cursor ?? "";
}

async function nothingNew(bench: Bench, business: Business, cursor: string, name: string) {
  const call = callOf(listChanges, business, "/changes/{kind}", { ids: { kind: "customers" }, query: { cursor } });
  const { result, readUnits, roundTrips } = await costOf(bench.table.client, call);
  if (JSON.parse(result).data?.length !== 0) throw new Error("something came where nothing is new");
  bench.figure(`${name}, nothing new, authorization included: read units`, readUnits, "units", { atMost: 4 });
  bench.figure(`${name}, nothing new, authorization included: round trips`, roundTrips, "round trips", { atMost: 2 });
}
