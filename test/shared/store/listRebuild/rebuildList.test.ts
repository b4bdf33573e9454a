import { randomUUID } from "node:crypto";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { TransactWriteCommandInput, TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import type { Item, Table } from "../../../../shared/store/client.ts";
import { contentHash } from "../../../../shared/store/contentHash.ts";
import { followChanges } from "../../../../shared/store/followChanges.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { entryKey } from "../../../../shared/store/keys/indexEntries.ts";
import { crbList, dayIndexKey, type OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { hasDifferences, rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { withRawText } from "../../../../shared/store/recordText.ts";
import { tableOf } from "../../../tableCopy.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { crashAt, crashPoints, isWrite, letCallsPass, sides, writesOf } from "../crashInjection.ts";
import { ListCopy } from "../orderedList/listCopy.ts";
import {
  type Calls,
  expectSoundList,
  interceptCalls,
  newList,
  pageOf,
  recordId,
  recordToWrite,
  setFence,
  storedRecords,
  TestClock,
} from "../orderedList/listUnderTest.ts";
import { saleDate } from "../orderedList/salesUnderTest.ts";
import { checkSales, expectSound, rebuildSales, restored, type TornSales, tornSales } from "./tornSales.ts";

const msPerDay = 24 * 3_600_000;
const table = await createTestTable();

/** A list of 20 records on three days. The earlier days have empty positions, the second one at its end. */
async function createList(start = "2025-12-31T10:00:00.000Z") {
  const given = await newList(table, { start });
  const { list, fence, clock, write } = given;
  await write([...Array(20).keys()]);
  for (const names of [
    [1, 2, 9, 11],
    [2, 3, 11],
  ]) {
    clock.advance(msPerDay);
    await write(names, clock.time);
  }
  const check = () => rebuildList(table, list, { fence, clock, isCheck: true });
  const rebuild = () => {
    clock.advance(1_000);
    return rebuildList(table, list, { fence, clock });
  };
  return { ...given, check, rebuild };
}

const itemOf = async (list: OrderedList, name: number) =>
  (await table.get({ pk: list.pk, sk: recordId(name) }, { consistent: true })) as Item;
/** A record with another id and the other attributes of an item. */
function copyOf(item: Item, id: string): Item {
  const body = String(withRawText(marshall(item)).body?.S).replaceAll(item.sk, id);
  const content = { ...JSON.parse(body), svc_created_date: null, svc_updated_date: null };
  return { ...item, sk: id, body, hash: contentHash(content) };
}

test("a list that is right is left as it is, and gets a new generation", async () => {
  const { list, check, rebuild, clock } = await createList();
  const stored = await storedRecords(table, list);
  expect(await check()).toMatchObject({ size: 20 });
  expect(hasDifferences(await rebuild())).toBe(false);
  expect(await storedRecords(table, list)).toEqual(stored);
  expect((await loadDayIndexes(table, list.orders.rank)).at(-1)?.generation).toBe(clock.time);
  await expectSoundList(table, list);
});

test("after a rebuild a follower begins again once, and writers keep the generation", async () => {
  const { list, clock, write, rebuild } = await createList();
  const copy = new ListCopy();
  const follow = async () => {
    await copy.toTheEnd(table, list, 1_000);
    return [copy.received, copy.resets];
  };
  expect(await follow()).toEqual([20, 0]);
  await rebuild();
  expect(await follow()).toEqual([40, 1]);
  await write([5], 7);
  clock.advance(365 * msPerDay);
  await write([6], 7);
  expect(await follow()).toEqual([42, 1]);
});

test("records that were put by hand are counted, each at its own position", async () => {
  const { list, rebuild, check } = await createList();
  const one = await itemOf(list, 4);
  // At another record's position, without a position, at an unused one, and on the wrong day.
  await table.put(copyOf(one, recordId(101)));
  await table.put({ ...copyOf(one, recordId(102)), rank: undefined });
  await table.put({ ...copyOf(one, recordId(103)), rank: "2025-13-45#00000001" });
  await table.put({ ...copyOf(one, recordId(104)), rank: "2026-01-01#00000900" });
  await table.delete({ pk: list.pk, sk: recordId(9) });
  expect(await check()).toMatchObject({ size: 23, differences: { positions: 4 } });
  await rebuild();
  expect(hasDifferences(await check())).toBe(false);
  await expectSoundList(table, list);
});

test("a list is rebuilt from its records if all its counts are missing or invalid", async () => {
  for (const damage of [
    ({ pk, sk }: Item) => table.delete({ pk, sk }),
    (year: Item) => table.put({ ...year, days: Buffer.from("nonsense") }),
    (year: Item) => table.put({ ...year, version: undefined, others: { "2019": 3 } }),
    ({ pk, sk }: Item) => table.put({ pk, sk }),
  ]) {
    const { list, rebuild, check } = await createList();
    const { dayIndexPartition: dayIndex, slots } = list.orders.rank;
    for (const year of await table.queryPartition(dayIndex, { consistent: true })) await damage(year);
    for (const item of await table.queryPartition(slots, { consistent: true }))
      await table.delete({ pk: slots, sk: item.sk });
    await table.put({ pk: slots, sk: "2026-01-01#00000", slots: Buffer.from([255]) });
    expect(hasDifferences(await check())).toBe(true);
    await rebuild();
    expect(hasDifferences(await check())).toBe(false);
    await expectSoundList(table, list);
  }
});

test.each([
  ["two years", "2025-12-31T10:00:00.000Z"],
  ["one year", "2026-01-01T10:00:00.000Z"],
])("readers and writers of a list with %s get 503 while it is rebuilt", async (_, start) => {
  const { list, writer, rebuild } = await createList(start);
  await table.put(copyOf(await itemOf(list, 4), recordId(101)));
  const patient = testTableOf(table, new TestClock(new Date().toISOString()));
  const calls = interceptCalls(table);
  let looks = 0;
  calls.before = async (command, input) => {
    // Writes between the two transactions that close and open the list.
    if (!command.startsWith("TransactWrite") || JSON.stringify(input).includes('"days"')) return;
    looks++;
    const clock = new TestClock("2026-01-02T12:00:00.000Z");
    for (const use of [
      () => pageOf(patient, list, { offset: 0, limit: 10 }),
      () => followChanges(patient, list, { limit: 10 }),
      () => writer({ clock }, patient).write([recordToWrite(5, 5)]),
    ]) {
      await expect(use()).rejects.toMatchObject({ kind: "unavailable" });
    }
  };
  await rebuild();
  letCallsPass(calls);
  expect(looks).toBeGreaterThan(0);
  await expectSoundList(table, list);
});

test("a rebuild writes nothing once its lease is lost", async () => {
  const { list, fence, rebuild, check } = await createList();
  await table.put(copyOf(await itemOf(list, 4), recordId(101)));
  await setFence(table, fence.key, 2);
  await expect(rebuild()).rejects.toThrow(LeaseLostError);
  await setFence(table, fence.key, 1);
  expect(await check()).toMatchObject({ differences: { positions: 1 } });
});

test("after two concurrent rebuilds of a list without lease, at least one succeeds and the list is right", async () => {
  const list = crbList(randomUUID());
  for (let i = 0; i < 12; i++)
    await table.put({ pk: list.pk, sk: randomUUID(), rank: `2026-01-0${1 + (i % 3)}#00000001` });
  const rebuild = (time: string) => rebuildList(testTableOf(table), list, { clock: new TestClock(time) });
  const results = await Promise.allSettled([rebuild("2026-02-01T10:00:00.000Z"), rebuild("2026-02-01T10:00:03.000Z")]);
  expect(results.map(({ status }) => status)).toContain("fulfilled");
  const clock = new TestClock("2026-02-01T11:00:00.000Z");
  expect(hasDifferences(await rebuildList(table, list, { clock, isCheck: true }))).toBe(false);
});

let torn: TornSales;
beforeAll(async () => {
  torn = await tornSales();
});

test("a filter and an order that are added later include records stored before", async () => {
  const { sales, clock, before, current } = torn;
  const { dayIndexPartition, slots } = sales.list.orders.rank;
  const partitions = [sales.list.pk, dayIndexPartition, slots, sales.fence.key.pk];
  // Stored by a version of the service without indexes of customers and sale days.
  const old = before
    .filter(({ pk }) => partitions.includes(pk))
    .map(({ saleRank, customerRank, ...item }) => item as Item);
  const table = await tableOf(old);
  const found = await checkSales(table, torn);
  expect(found.size).toBe(30);
  expect(found.differences.positions).toBeGreaterThan(0);
  await rebuildSales(table, torn);
  expect(hasDifferences(await checkSales(table, torn))).toBe(false);
  await expectSound(table, torn);
  // The next writes keep all of it.
  await sales.writer(table, clock).write(current);
  expect(hasDifferences(await checkSales(table, torn))).toBe(false);
});

test("a sale without a customer leaves the order by customer", async () => {
  const { sales, clock } = torn;
  const table = await tableOf(torn.before);
  await sales.writer(table, clock).write([{ name: 50, customer: null, day: 1, version: 0 }]);
  const key = { pk: sales.list.pk, sk: String(sales.recordOf({ name: 50, customer: null, day: 1, version: 0 }).id) };
  const item = (await table.get(key, { consistent: true })) as Item;
  await table.put({ ...item, customerRank: `anonymous ${item.rank}` });
  expect((await rebuildSales(table, torn)).differences.positions).toBe(1);
  expect(await table.get(key, { consistent: true })).toEqual(item);
});

/**
 * Rebuilds a restored table with an accident at each of some writes. Then its sales must be right.
 *
 * @param accident sets the hooks of the table's calls
 * @param end follows the rebuild, after which the hooks are removed
 */
async function expectSurvived(
  items: readonly Item[],
  accident: (calls: Calls, write: number) => void,
  end: (table: Table) => Promise<unknown> = async () => {},
) {
  const whole = await tableOf(items);
  const writes = await writesOf(interceptCalls(whole), () => rebuildSales(whole, torn));
  expect(writes).toBeGreaterThan(2);
  for (const write of crashPoints(writes)) {
    const damaged = await tableOf(items);
    const calls = interceptCalls(damaged);
    accident(calls, write);
    await rebuildSales(damaged, torn).catch((error: Error) => expect(error.message).toBe("killed"));
    letCallsPass(calls);
    await end(damaged);
    expect(hasDifferences(await checkSales(damaged, torn)), `write ${write}`).toBe(false);
  }
}

/** A restored table whose rebuild needs every kind of write. */
function damagedInAllParts(): Item[] {
  const damaged = restored(torn, ["record", "directory"]);
  const stray = damaged.find(({ pk }) => pk === torn.sales.list.pk) as Item;
  return [...damaged, copyOf(stray, randomUUID())];
}

test.each(sides)("a rebuild that is killed %s any write is finished by the next one", async (side) => {
  await expectSurvived(
    damagedInAllParts(),
    (calls, write) => crashAt(calls, write, side),
    (table) => rebuildSales(table, torn),
  );
});

test("a rebuild continues after any write whose response is lost", async () => {
  await expectSurvived(damagedInAllParts(), (calls, lost) => {
    let count = 0;
    calls.after = (command) => {
      if (isWrite(command) && ++count === lost) throw new ServiceError("unavailable");
    };
  });
});

test("a write that arrives after its repetition and after the end of the rebuild leaves the list right", async () => {
  let delayed: TransactWriteItem[] = [];
  // Entries have old positions or are missing.
  await expectSurvived(
    restored(torn, ["record"]),
    (calls, late) => {
      let count = 0;
      calls.before = (command, input) => {
        if (!isWrite(command) || ++count !== late) return;
        delayed = (input as TransactWriteCommandInput).TransactItems ?? [];
        throw new ServiceError("unavailable");
      };
    },
    async (table) => {
      await table.transact(delayed).catch((error) => {
        if (!(error instanceof TransactionCanceledException)) throw error;
      });
    },
  );
});

test("index entries of a lost sale are deleted, although no other record has their values", async () => {
  const { sales, clock } = torn;
  const customer = "of one sale";
  const lost = entryKey(sales.list, { field: "pos_customer_id", value: customer, day: saleDate(1) }, randomUUID());
  const table = await tableOf([...torn.before, { ...lost, at: 2025060100009999 }]);
  expect(await rebuildSales(table, torn)).toMatchObject({ differences: { entries: 1 } });
  await sales.writer(table, clock).write([{ name: 50, customer, day: 1, version: 0 }]);
  const query = { offset: 0, limit: 10, pos_customer_id: customer };
  expect(await sales.page(table, query)).toEqual({ total: 1, sales: ["50 of 0"] });
});

test("sales of a day without a position there are sorted by their updates among the others of the day", async () => {
  const stored = torn.before.map((item, i) => (i % 2 === 0 ? (({ saleRank, ...rest }) => rest)(item) : item) as Item);
  const table = await tableOf(stored);
  expect((await rebuildSales(table, torn)).differences.positions).toBeGreaterThan(0);
  const items = await table.queryPartition(torn.sales.list.pk, { consistent: true });
  const dayOf = ({ saleRank }: Item) => String(saleRank).slice(0, 10);
  const sortedBy = (order: string) => (one: Item, other: Item) => (String(one[order]) < String(other[order]) ? -1 : 1);
  for (const [day, sales] of Map.groupBy(items, dayOf)) {
    expect(sales.toSorted(sortedBy("saleRank")), day).toEqual(sales.toSorted(sortedBy("rank")));
  }
  await expectSound(table, torn);
});

test("a list with more index entries than one part is compared to its end", async () => {
  const { list, fence, clock, write } = await newList(table, { kind: "product" });
  await write([...Array(1_100).keys()]);
  await table.delete({ pk: list.pk, sk: recordId(1_077) });
  const report = await rebuildList(table, list, { fence, clock });
  expect(report).toMatchObject({ size: 1_099, differences: { counts: 3 } });
  expect((await pageOf(table, list, { offset: 1_000, limit: 1_000 })).records).toHaveLength(99);
  expect(await table.get(dayIndexKey(list.orders.rank, "2026"))).not.toHaveProperty("rebuilding");
});

test("index entries of customers are rebuilt, and hold no position", async () => {
  const { list, fence, clock, writer } = await newList(table, indexingOptions.customer);
  for (const [i, email_address] of ["one", "two"].entries())
    await writer().write([recordToWrite(i + 1, 0, { email_address })]);
  const entryOf = (name: number, email: string) => entryKey(list, { field: "email", value: email }, recordId(name));
  await table.delete(entryOf(1, "one"));
  await table.put({ ...entryOf(1, "two") });
  // An entry of a customer holds no position.
  await table.put({ ...entryOf(2, "two"), at: 1 });
  const rebuild = () => rebuildList(table, list, { fence, clock });
  expect(await rebuild()).toMatchObject({ differences: { entries: 4 } });
  expect(await table.get(entryOf(1, "one"))).toEqual(entryOf(1, "one"));
  expect(await table.get(entryOf(1, "two"))).toBeUndefined();
  expect(hasDifferences(await rebuild())).toBe(false);
});
