import { randomUUID } from "node:crypto";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { TransactWriteCommandInput, TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import type { Item } from "../../../../shared/store/client.ts";
import { contentHash } from "../../../../shared/store/contentHash.ts";
import { followChanges } from "../../../../shared/store/followChanges.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { entryKey } from "../../../../shared/store/keys/indexEntries.ts";
import { crbList, dayIndexKey, type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { hasDifferences, rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { type Fence, LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { withRawText } from "../../../../shared/store/recordText.ts";
import { tableOf } from "../../../tableCopy.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { crashAt, crashPoints, isWrite, letCallsPass, sides, writesOf } from "../crashInjection.ts";
import {
  expectSoundList,
  interceptCalls,
  newList,
  newWriter,
  pageOf,
  recordId,
  recordToWrite,
  setFence,
  storedRecords,
  TestClock,
} from "../orderedList/listUnderTest.ts";
import { SalesUnderTest, saleDate, segmentSize } from "../orderedList/salesUnderTest.ts";
import { afterWrites, checkSales, expectSound, partOf, rebuildSales, type TornSales, tornSales } from "./tornSales.ts";

const msPerDay = 24 * 3_600_000;
const table = useTestTable();

/** A list of 20 records on three days. The earlier days have empty positions, the second one at its end. */
async function createList(start = "2025-12-31T10:00:00.000Z") {
  const { list, fence } = await newList(table());
  const clock = new TestClock(start);
  const writer = newWriter(table(), list, { fence, clock });
  await writer.write(Array.from({ length: 20 }, (_, name) => recordToWrite(name, 0)));
  for (const names of [
    [1, 2, 9, 11],
    [2, 3, 11],
  ]) {
    clock.advance(msPerDay);
    await writer.write(names.map((name) => recordToWrite(name, clock.time)));
  }
  return {
    list,
    fence,
    clock,
    check: () => rebuildList(table(), list, { fence, clock, isCheck: true }),
    rebuild: () => {
      clock.advance(1_000);
      return rebuildList(table(), list, { fence, clock });
    },
  };
}

const itemOf = async (list: OrderedList, name: number) =>
  (await table().get({ pk: list.pk, sk: recordId(name) }, { consistent: true })) as Item;
/** A record with another id and the other attributes of an item. */
function copyOf(item: Item, id: string): Item {
  const body = String(withRawText(marshall(item)).body?.S).replaceAll(item.sk, id);
  const content = { ...JSON.parse(body), svc_created_date: null, svc_updated_date: null };
  return { ...item, sk: id, body, hash: contentHash(content) };
}

test("a list that is right is left as it is, and gets a new generation", async () => {
  const { list, check, rebuild, clock } = await createList();
  const stored = await storedRecords(table(), list);
  expect(await check()).toMatchObject({ size: 20 });
  expect(hasDifferences(await rebuild())).toBe(false);
  expect(await storedRecords(table(), list)).toEqual(stored);
  expect((await loadDayIndexes(table(), list.orders.rank)).at(-1)?.generation).toBe(clock.time);
  await expectSoundList(table(), list);
});

test("after a rebuild a follower begins again once, and writers keep the generation", async () => {
  const { list, fence, clock, rebuild } = await createList();
  const follow = async (cursor?: string) => {
    const {
      places,
      isReset,
      createCursorAfter: cursorBehind,
    } = await followChanges(table(), list, { cursor, limit: 1_000 });
    return { count: places.length, isReset, cursor: cursorBehind(places.length) };
  };
  const { cursor } = await follow();
  await rebuild();
  const again = await follow(cursor);
  expect(again).toMatchObject({ count: 20, isReset: true });
  await newWriter(table(), list, { fence, clock }).write([recordToWrite(5, 7)]);
  clock.advance(365 * msPerDay);
  await newWriter(table(), list, { fence, clock }).write([recordToWrite(6, 7)]);
  expect(await follow(again.cursor)).toMatchObject({ count: 2, isReset: false });
});

test("records that were put by hand are counted, each at its own position", async () => {
  const { list, rebuild, check } = await createList();
  const one = await itemOf(list, 4);
  // At another record's position, without a position, at an unused one, and on the wrong day.
  await table().put(copyOf(one, recordId(101)));
  await table().put({ ...copyOf(one, recordId(102)), rank: undefined });
  await table().put({ ...copyOf(one, recordId(103)), rank: "2025-13-45#00000001" });
  await table().put({ ...copyOf(one, recordId(104)), rank: "2026-01-01#00000900" });
  await table().delete({ pk: list.pk, sk: recordId(9) });
  expect(await check()).toMatchObject({ size: 23, differences: { positions: 4 } });
  await rebuild();
  expect(hasDifferences(await check())).toBe(false);
  await expectSoundList(table(), list);
});

test("a list is rebuilt from its records if all its counts are missing or invalid", async () => {
  for (const damage of [
    ({ pk, sk }: Item) => table().delete({ pk, sk }),
    (year: Item) => table().put({ ...year, days: Buffer.from("nonsense") }),
    (year: Item) => table().put({ ...year, version: undefined, others: { "2019": 3 } }),
    ({ pk, sk }: Item) => table().put({ pk, sk }),
  ]) {
    const { list, rebuild, check } = await createList();
    const { dayIndexPartition: dayIndex, slots } = list.orders.rank;
    for (const year of await table().queryPartition(dayIndex, { consistent: true })) await damage(year);
    for (const item of await table().queryPartition(slots, { consistent: true }))
      await table().delete({ pk: slots, sk: item.sk });
    await table().put({ pk: slots, sk: "2026-01-01#00000", slots: Buffer.from([255]) });
    expect(hasDifferences(await check())).toBe(true);
    await rebuild();
    expect(hasDifferences(await check())).toBe(false);
    await expectSoundList(table(), list);
  }
});

test.each([
  ["two years", "2025-12-31T10:00:00.000Z"],
  ["one year", "2026-01-01T10:00:00.000Z"],
])("readers and writers of a list with %s get 503 while it is rebuilt", async (_, start) => {
  const { list, fence, rebuild } = await createList(start);
  await table().put(copyOf(await itemOf(list, 4), recordId(101)));
  const patient = testTableOf(table(), new TestClock(new Date().toISOString()));
  const calls = interceptCalls(table());
  let looks = 0;
  calls.before = async (command, input) => {
    // Writes between the two transactions that close and open the list.
    if (!command.startsWith("TransactWrite") || JSON.stringify(input).includes('"days"')) return;
    looks++;
    await expect(pageOf(patient, list, { offset: 0, limit: 10 })).rejects.toMatchObject({ kind: "unavailable" });
    await expect(followChanges(patient, list, { limit: 10 })).rejects.toMatchObject({ kind: "unavailable" });
    const writer = new RecordWriter(patient, list, { fence, clock: new TestClock("2026-01-02T12:00:00.000Z") });
    await expect(writer.write([recordToWrite(5, 5)])).rejects.toMatchObject({ kind: "unavailable" });
  };
  await rebuild();
  letCallsPass(calls);
  expect(looks).toBeGreaterThan(0);
  await expectSoundList(table(), list);
});

test("a rebuild writes nothing once its lease is lost", async () => {
  const { list, fence, rebuild, check } = await createList();
  await table().put(copyOf(await itemOf(list, 4), recordId(101)));
  await setFence(table(), fence.key, 2);
  await expect(rebuild()).rejects.toThrow(LeaseLostError);
  await setFence(table(), fence.key, 1);
  expect(await check()).toMatchObject({ differences: { positions: 1 } });
});

test("after two concurrent rebuilds of a list without lease, at least one succeeds and the list is right", async () => {
  const list = crbList(randomUUID());
  for (let i = 0; i < 12; i++)
    await table().put({ pk: list.pk, sk: randomUUID(), rank: `2026-01-0${1 + (i % 3)}#00000001` });
  const rebuild = (time: string) => rebuildList(testTableOf(table()), list, { clock: new TestClock(time) });
  const results = await Promise.allSettled([rebuild("2026-02-01T10:00:00.000Z"), rebuild("2026-02-01T10:00:03.000Z")]);
  expect(results.map(({ status }) => status)).toContain("fulfilled");
  const clock = new TestClock("2026-02-01T11:00:00.000Z");
  expect(hasDifferences(await rebuildList(table(), list, { clock, isCheck: true }))).toBe(false);
});

test("a filter and an order that are added later include records stored before", async () => {
  const sales = new SalesUnderTest();
  await sales.begin(table());
  const clock = new TestClock("2025-06-01T10:00:00.000Z");
  const written = Array.from({ length: 20 }, (_, name) => ({
    name,
    customer: name % 3 === 0 ? "rare" : "frequent",
    day: 1 + (name % 5),
    version: 0,
  }));
  await sales.writer(table(), clock).write(written);
  const items = await table().queryPartition(sales.list.pk, { consistent: true });
  // Stored by a version of the service without indexes of customers and sale days.
  const before = items.map(({ saleRank, customerRank, ...item }) => item as Item);
  const { rank } = sales.list.orders;
  const dayIndexes = await table().queryPartition(rank.dayIndexPartition, { consistent: true });
  const fence = { ...sales.fence.key, fence: sales.fence.number };
  const old = await tableOf([...before, ...dayIndexes, fence]);
  const torn: TornSales = { sales, clock, before: [], writes: [], current: written };
  const found = await checkSales(old, torn);
  expect(found.size).toBe(20);
  expect(found.differences.positions).toBeGreaterThan(0);
  await rebuildSales(old, torn);
  expect(hasDifferences(await checkSales(old, torn))).toBe(false);
  const query = { offset: 0, limit: 100, start_date: saleDate(2) };
  expect((await sales.page(old, { ...query, pos_customer_id: "rare" })).total).toBe(5);
  await expectSound(old, torn);
  // The next writes keep all of it.
  await sales.writer(old, clock).write(written.map((sale) => ({ ...sale, version: 1 })));
  expect(hasDifferences(await checkSales(old, torn))).toBe(false);
});

/** A table of a torn transaction whose rebuild needs every kind of write. */
let torn: TornSales;
beforeAll(async () => {
  torn = await tornSales();
});

test("a rebuild that is killed before or after any write is finished by the next one", async () => {
  const kept = torn.writes.filter((write) => ["record", "directory"].includes(partOf(write)));
  const damaged = afterWrites(torn.before, kept);
  const stray = damaged.find(({ pk }) => pk === torn.sales.list.pk) as Item;
  damaged.push(copyOf(stray, randomUUID()));
  const whole = await tableOf(damaged);
  const writes = await writesOf(interceptCalls(whole), () => rebuildSales(whole, torn));
  expect(writes).toBeGreaterThan(5);
  for (const write of crashPoints(writes)) {
    for (const side of sides) {
      const killed = await tableOf(damaged);
      const calls = interceptCalls(killed);
      crashAt(calls, write, side);
      await rebuildSales(killed, torn).catch(() => undefined);
      letCallsPass(calls);
      await rebuildSales(killed, torn);
      expect(hasDifferences(await checkSales(killed, torn)), `${side} write ${write}`).toBe(false);
    }
  }
});

test("a rebuild continues after any write whose response is lost", async () => {
  const kept = torn.writes.filter((write) => ["record", "directory"].includes(partOf(write)));
  const damaged = afterWrites(torn.before, kept);
  const whole = await tableOf(damaged);
  const writes = await writesOf(interceptCalls(whole), () => rebuildSales(whole, torn));
  for (const lost of crashPoints(writes)) {
    const table = await tableOf(damaged);
    let count = 0;
    interceptCalls(table).after = (command) => {
      if (isWrite(command) && ++count === lost) throw new ServiceError("unavailable");
    };
    await rebuildSales(table, torn);
    expect(count).toBeGreaterThanOrEqual(lost);
    expect(hasDifferences(await checkSales(table, torn)), `write ${lost}`).toBe(false);
  }
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
  const table = await tableOf(
    torn.before.map((item, i) => (i % 2 === 0 ? (({ saleRank, ...rest }) => rest)(item) : item) as Item),
  );
  expect((await rebuildSales(table, torn)).differences.positions).toBeGreaterThan(0);
  const items = await table.queryPartition(torn.sales.list.pk, { consistent: true });
  const dayOf = ({ saleRank }: Item) => String(saleRank).slice(0, 10);
  const sortedBy = (order: string) => (one: Item, other: Item) => (String(one[order]) < String(other[order]) ? -1 : 1);
  for (const [day, sales] of Map.groupBy(items, dayOf)) {
    expect(sales.toSorted(sortedBy("saleRank")), day).toEqual(sales.toSorted(sortedBy("rank")));
  }
  await expectSound(table, torn);
});

test("a write that arrives after its repetition and after the end of the rebuild leaves the list right", async () => {
  // Entries have old positions or are missing.
  const damaged = afterWrites(
    torn.before,
    torn.writes.filter((write) => partOf(write) === "record"),
  );
  const whole = await tableOf(damaged);
  const writes = await writesOf(interceptCalls(whole), () => rebuildSales(whole, torn));
  for (const late of crashPoints(writes)) {
    const table = await tableOf(damaged);
    const calls = interceptCalls(table);
    let delayed: TransactWriteItem[] = [];
    let count = 0;
    calls.before = (command, input) => {
      if (!isWrite(command) || ++count !== late) return;
      delayed = (input as TransactWriteCommandInput).TransactItems ?? [];
      throw new ServiceError("unavailable");
    };
    await rebuildSales(table, torn);
    letCallsPass(calls);
    await table.transact(delayed).catch((error) => {
      if (!(error instanceof TransactionCanceledException)) throw error;
    });
    expect(hasDifferences(await checkSales(table, torn)), `write ${late}`).toBe(false);
  }
});

test("a list with more index entries than one part is compared to its end", async () => {
  const list = recordList(randomUUID(), "product", segmentSize);
  const fence: Fence = { key: { pk: `LEASE of ${list.pk}`, sk: "LEASE" }, number: 1 };
  await setFence(table(), fence.key, 1);
  const clock = new TestClock("2026-01-01T10:00:00.000Z");
  const writer = new RecordWriter(table(), list, { fence, clock });
  await writer.write(Array.from({ length: 1_100 }, (_, name) => recordToWrite(name, 0)));
  await table().delete({ pk: list.pk, sk: recordId(1_077) });
  const options = { fence, clock };
  expect(await rebuildList(table(), list, options)).toMatchObject({
    size: 1_099,
    differences: { counts: 3 },
  });
  expect((await pageOf(table(), list, { offset: 1_000, limit: 1_000 })).records).toHaveLength(99);
  expect(await table().get(dayIndexKey(list.orders.rank, "2026"))).not.toHaveProperty("rebuilding");
});

test("index entries of customers are rebuilt, and hold no position", async () => {
  const { list, fence } = await newList(table());
  const clock = new TestClock("2026-01-01T10:00:00.000Z");
  const writer = newWriter(table(), list, { fence, clock, ...indexingOptions.customer });
  const write = (name: number, email: string) => {
    const id = recordId(name);
    const dates = { svc_created_date: null, svc_updated_date: null };
    return writer.write([{ id, content: { id, pos_customer_id: `pos-${name}`, email_address: email, ...dates } }]);
  };
  await write(1, "one");
  await write(2, "two");
  const entryOf = (name: number, email: string) => entryKey(list, { field: "email", value: email }, recordId(name));
  await table().delete(entryOf(1, "one"));
  await table().put({ ...entryOf(1, "two") });
  // An entry of a customer holds no position.
  await table().put({ ...entryOf(2, "two"), at: 1 });
  const rebuild = () => rebuildList(table(), list, { fence, clock });
  expect(await rebuild()).toMatchObject({ differences: { entries: 4 } });
  expect(await table().get(entryOf(1, "one"))).toEqual(entryOf(1, "one"));
  expect(await table().get(entryOf(1, "two"))).toBeUndefined();
  expect(hasDifferences(await rebuild())).toBe(false);
});
