import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { createTable } from "../../../infra/local/createTable.ts";
import { normalizeCustomer } from "../../../shared/domain/replication/normalizeCustomer.ts";
import { Table } from "../../../shared/store/client.ts";
import { type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { type Business, standingFence } from "../data/business.ts";
import { shuffled } from "../data/busyYear.ts";
import { daysAgo, indexes, noonOf, writeAll } from "../data/fill.ts";
import { customerMaker } from "../data/records.ts";
import { RememberingTable } from "../rememberingTable.ts";
import { pollOf } from "./poll.ts";

/** The number of busy days of the list in a run with a million records; smaller runs have proportionally fewer. */
const daysAtMillion = 365;
const records = 4_000;
/** The changes before the list is paged: each record changes once, and half of them a second time. */
const changes = 1.5 * records;

/** The number of busy days in a run. */
export const busyDays = (bench: Bench): number => Math.ceil((daysAtMillion * bench.records) / 1_000_000);

/** Measures what a list of 4,000 customers costs after each of them has changed 50 times a day for a long time. */
export async function busyList(bench: Bench): Promise<void> {
  const days = busyDays(bench);
  const business = await bench.data.busyCustomers(days);
  const name = `List of ${count(records)} busy for ${count(days)} days`;
  await pollOf(bench, business, `${name}, poll`);
  const list = recordList(business.crbId, "customer");
  bench.progress(`Changing ${count(changes)} records`);
  const { overhead, transactions } = await overheadOfChanges(bench, business, list, daysAgo(-days - 1));
  const units = `${name}, change: write units in addition to the records`;
  bench.figure(units, overhead / transactions, "units a transaction");
  // The bar is for records: a transaction that stores more records costs more, and the records cost less.
  bench.figure(units, overhead / changes, "units a record", { atMost: 0.11 });
  for (const limit of [1_000, 100]) {
    const page = (offset: number) =>
      costOf(bench.scratch.table.client, () => readPage(bench.scratch.table, list, { offset, limit }));
    const [fresh, old] = [await page(0), await page(records - limit)];
    const complete = [fresh, old].every(({ result }) => result.total === records && result.records.length === limit);
    if (!complete) throw new Error("a page of the busy list is not complete");
    const ratio = old.readUnits / fresh.readUnits;
    bench.figure(`${name}, page of ${count(limit)}: read units of the oldest against the newest`, ratio, "times", {
      atMost: 1.2,
    });
  }
}

/**
 * Changes records of a copy of the list on the next day, and writes the changed records to another copy with bare
 * transactions.
 * @returns how many more write units the first took, and the number of its transactions
 */
async function overheadOfChanges(bench: Bench, { crbId, connection }: Business, list: OrderedList, day: string) {
  const { name, client } = bench.scratch.table;
  const table = new RememberingTable(name, client);
  const bare = new Table(`bare-${randomUUID()}`, client);
  await createTable(client, bare.name);
  for (const copy of [bench.scratch.table, bare]) await copyList(bench.table, copy, list);

  const fence = await standingFence(table, crbId, "customer");
  const make = await customerMaker(connection);
  const recordOf = (version: number) => (index: number) => {
    const record = normalizeCustomer(connection, make(index, version));
    if (!record) throw new Error(`no record can be made of customer ${index}`);
    return record;
  };
  const random = xoroshiro128plus(3);
  const all = shuffled(random, [...indexes(records)]);
  const changed = await costOf(client, async () => {
    const options = { fence, clock: noonOf(day) };
    await writeAll(table, list, options, all, recordOf(-1));
    await writeAll(table, list, options, shuffled(random, all).slice(0, changes - records), recordOf(-2));
  });
  const alone = await costOf(client, async () => {
    for (const writes of table.written) await bare.transact(recordsOf(writes, list, bare.name));
  });
  return { overhead: changed.writeUnits - alone.writeUnits, transactions: table.written.length };
}

/** The puts of a transaction that store records, as bare puts to another table. */
function recordsOf(writes: readonly TransactWriteItem[], list: OrderedList, TableName: string): TransactWriteItem[] {
  const items = writes.flatMap(({ Put }) => (Put?.Item?.pk === list.pk ? [Put.Item] : []));
  return items.map((Item) => ({ Put: { TableName, Item } }));
}

/** Copies a list with its day indexes and sequence numbers. */
async function copyList(from: Table, to: Table, list: OrderedList): Promise<void> {
  const { dayIndexPartition: dayIndex, slots } = list.orders.rank;
  for (const pk of [list.pk, dayIndex, slots]) {
    const items = await from.queryPartition(pk, { consistent: true });
    for (let i = 0; i < items.length; i += 100) {
      await to.transact(items.slice(i, i + 100).map((item) => to.putWrite(item)));
    }
  }
}
