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

/** How long a list has been busy that is measured beside one of a million records; of shorter runs a part of it. */
const daysAtMillion = 365;
const records = 4_000;
/** Of the list that change before it is paged: all once, and half of them again. */
const changes = 1.5 * records;

/** For how many days it has been in a run. */
export const busyDays = (bench: Bench): number => Math.ceil((daysAtMillion * bench.records) / 1_000_000);

/** A list of 4,000 customers of whom each has changed 50 times a day for a long time: what has become of its cost. */
export async function busyList(bench: Bench): Promise<void> {
  const days = busyDays(bench);
  const business = await bench.data.busyCustomers(days);
  const name = `List of ${count(records)} busy for ${count(days)} days`;
  await pollOf(bench, business, `${name}, poll`);
  const list = recordList(business.crbId, "customer");
  bench.progress(`Changing ${count(changes)} records`);
  const { overhead, transactions } = await overheadOfChanges(bench, business, list, daysAgo(-days - 1));
  bench.figure(`${name}, change: write units beside the records`, overhead / transactions, "units a transaction", {
    atMost: 8,
  });
  bench.figure(`${name}, change: write units beside the records`, overhead / changes, "units a record");
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
 * Changes records of a copy of the list on the next day, and writes the records that changed to another copy by bare
 * transactions.
 *
 * @returns by how many write units the first took more, and in how many transactions
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

/** The puts of a transaction that store records, as bare ones to another table. */
function recordsOf(writes: readonly TransactWriteItem[], list: OrderedList, TableName: string): TransactWriteItem[] {
  const items = writes.flatMap(({ Put }) => (Put?.Item?.pk === list.pk ? [Put.Item] : []));
  return items.map((Item) => ({ Put: { TableName, Item } }));
}

/** Copies a list with all that counts it. */
async function copyList(from: Table, to: Table, list: OrderedList): Promise<void> {
  const { dayIndexPartition: dayIndex, slots } = list.orders.rank;
  for (const pk of [list.pk, dayIndex, slots]) {
    const items = await from.queryPartition(pk, { consistent: true });
    for (let i = 0; i < items.length; i += 100) {
      await to.transact(items.slice(i, i + 100).map((item) => to.putWrite(item)));
    }
  }
}
