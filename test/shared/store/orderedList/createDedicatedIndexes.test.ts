import { describe, expect, test } from "vitest";
import { entriesPartition } from "../../../../shared/store/keys/indexEntries.ts";
import { dedicatedIndex, type OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { dropEmptyIndexes } from "../../../../shared/store/orderedList/dropEmptyIndexes.ts";
import { maxWrites } from "../../../../shared/store/orderedList/registerDedicatedIndexes.ts";
import { extractSaleIndexedFields, listSales } from "../../../../shared/store/sales.ts";
import {
  dedicatedIndexesOf,
  faultsOfDedicatedIndexes,
  strayCounts,
} from "../../../system/chaos/faultsOfDedicatedIndexes.ts";
import { scan } from "../../../system/chaos/tableState.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { crashAt, letCallsPass } from "../crashInjection.ts";
import { hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, newWriter, recordToWrite, TestClock } from "./listUnderTest.ts";
import { SalesUnderTest, segmentSize } from "./salesUnderTest.ts";

/** A business with a separate table. Its sales are of customer 1 unless the test says otherwise. */
async function createSales() {
  const table = await createTestTable();
  const sales = new SalesUnderTest();
  await sales.begin(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const { fence } = sales;
  const write = (names: readonly number[], list: OrderedList = sales.list, customer = "1", version = 0) =>
    newWriter(table, list, {
      fence,
      clock,
      extractIndexedFields: extractSaleIndexedFields,
      extractSaleDay: () => "2026-01-01",
    }).write(
      names.map((name) => {
        const { id, content } = recordToWrite(name, version);
        return { id, content: { ...content, customer: { customer_id: null, pos_customer_id: customer } } };
      }),
    );
  const lists = async () => {
    const items = await scan(table);
    expect([...faultsOfDedicatedIndexes(items, sales.list), ...strayCounts(items)]).toEqual([]);
    return Object.keys(dedicatedIndexesOf(items, sales.list)).length;
  };
  return { table, sales, clock, write, lists };
}

const names = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);

/** A value has at most 8 entries without a dedicated index; from half of that on, it gets one. */
describe("a value with more than four index entries", () => {
  test.each([
    ["gets a dedicated index if all are written at once", [5], 1],
    ["gets a dedicated index if four were already stored", [4, 1], 1],
    ["gets none with four", [4], 0],
    ["gets none with one and three", [1, 3], 0],
  ])("%s", async (_, steps, expected) => {
    const { write, lists } = await createSales();
    let from = 0;
    for (const count of steps) {
      await write(names(count, from));
      from += count;
    }
    expect(await lists()).toBe(expected);
  });

  test("gets none if its three entries move to another value", async () => {
    const { sales, write, lists } = await createSales();
    await write(names(3));
    await write(names(3), sales.list, "2", 1);
    expect(await lists()).toBe(0);
  });

  test("gets a dedicated index of more entries than fit in a transaction, and can be searched afterwards", async () => {
    const { sales, write, lists, table } = await createSales();
    const { maxEntries: _, ...plain } = sales.list;
    await write(names(250), plain);
    await write([250]);
    expect(await lists()).toBe(1);
    const { read } = await listSales(
      table,
      sales.crbId,
      { pos_customer_id: "1", offset: 100, limit: 3 },
      { segmentSize },
    );
    expect((await read()).total).toBe(251);
  });

  test("gets one index, which later changes keep sound, even if all eventually consistent reads lag", async () => {
    const { sales, write, clock, table, lists } = await createSales();
    hideFromLaggingReads(table);
    await write(names(4));
    await write([4]);
    expect(await lists()).toBe(1);
    await write([5, 6, 7]);
    await write([1, 2, 3], sales.list, "1", 1);
    expect(await lists()).toBe(1);
    // The value loses all of its sales.
    await write(names(8), sales.list, "2", 2);
    await dropEmptyIndexes(table, sales.list, sales.fence, clock);
    expect(Object.keys(dedicatedIndexesOf(await scan(table), sales.list))).toEqual([
      entriesPartition(sales.list, { field: "pos_customer_id", value: "2" }),
    ]);
    expect(await lists()).toBe(1);
  });

  test("keeps nothing of an earlier attempt once its index begins", async () => {
    const { sales, write, table, lists } = await createSales();
    const { orders } = dedicatedIndex(
      sales.list,
      entriesPartition(sales.list, { field: "pos_customer_id", value: "1" }),
    );
    await table.transact([table.putWrite({ pk: orders.rank.slots, sk: "2026-02-28#00000000" })]);
    await write(names(5));
    expect(await lists()).toBe(1);
    expect((await scan(table)).filter(({ sk }) => sk.startsWith("2026-02-28"))).toEqual([]);
  });
});

/** Writes four sales of customer 2, then a fifth. The run of the fifth is killed before one of its writes, the first being 1. */
async function interruptCreation({ table, sales, write }: Awaited<ReturnType<typeof createSales>>, failing: number) {
  await write(names(4, 6), sales.list, "2");
  const calls = interceptCalls(table);
  crashAt(calls, failing, "before");
  await expect(write([10], sales.list, "2")).rejects.toThrow("killed");
  letCallsPass(calls);
}

describe("a dedicated index whose creation was interrupted", () => {
  const ofCustomer = (list: OrderedList, value: string) => entriesPartition(list, { field: "pos_customer_id", value });

  test("is created by the next run, which replaces the items of the first attempt", async () => {
    const shop = await createSales();
    await interruptCreation(shop, 3);
    await shop.write([10], shop.sales.list, "2");
    expect(await shop.lists()).toBe(1);
  });

  test("stays registered as unfinished after another one is created", async () => {
    const shop = await createSales();
    const { table, sales, write } = shop;
    await interruptCreation(shop, 2);
    await write(names(5, 20));
    const [dayIndex] = await table.queryPartition(sales.list.orders.rank.dayIndexPartition);
    expect(Object.keys(dayIndex?.lists as object)).toEqual([ofCustomer(sales.list, "1")]);
    expect(dayIndex?.unbegun).toEqual([ofCustomer(sales.list, "2")]);
  });
});

describe("dedicated indexes of values without records", () => {
  test("are removed, and no others; without any, nothing is written", async () => {
    const { sales, write, clock, table, lists } = await createSales();
    await write(names(6));
    const [pk] = Object.keys(dedicatedIndexesOf(await scan(table), sales.list));
    const own = testTableOf(table);
    let transactions = 0;
    interceptCalls(own).before = (command) => void (command === "TransactWriteItemsCommand" && transactions++);
    await dropEmptyIndexes(own, sales.list, sales.fence, clock);
    expect([transactions, await lists()]).toEqual([0, 1]);
    const entries = await table.queryPartition(pk ?? "", { consistent: true });
    for (const { pk, sk } of entries) await table.transact([table.deleteWrite({ pk, sk })]);
    await dropEmptyIndexes(own, sales.list, sales.fence, clock);
    const items = await scan(table);
    expect(dedicatedIndexesOf(items, sales.list)).toEqual({});
    expect(strayCounts(items)).toEqual([]);
    expect(items.filter((item) => item.pk.startsWith(pk ?? ""))).toEqual([]);
  });

  test("are removed next to others, however many items count their entries", async () => {
    const { sales, write, clock, table, lists } = await createSales();
    const [kept, emptied] = ["1", "2"].map((value) =>
      entriesPartition(sales.list, { field: "pos_customer_id", value }),
    ) as [string, string];
    await write(names(6));
    await write(names(6, 6), sales.list, "2");
    expect(await lists()).toBe(2);
    for (const { pk, sk } of await table.queryPartition(emptied)) await table.transact([table.deleteWrite({ pk, sk })]);
    // Enough to fill two transactions, as after many years.
    const { orders } = dedicatedIndex(sales.list, emptied);
    const counts = (await scan(table)).filter(({ pk }) => pk.startsWith(emptied)).length;
    for (const i of names(2 * maxWrites - counts)) {
      await table.transact([table.putWrite({ pk: orders.rank.slots, sk: `another ${i}` })]);
    }
    await dropEmptyIndexes(table, sales.list, sales.fence, clock);
    const items = await scan(table);
    expect(Object.keys(dedicatedIndexesOf(items, sales.list))).toEqual([kept]);
    expect(items.filter(({ pk, unbegun }) => pk.startsWith(emptied) || unbegun !== undefined)).toEqual([]);
    expect(await lists()).toBe(1);
  });

  test("are removed completely by a second call, whichever transaction of the first one fails", async () => {
    const failures: unknown[] = [];
    for (let failing = 1; failures.length === failing - 1; failing++) {
      const { sales, write, clock, table } = await createSales();
      await write(names(6));
      const [pk = ""] = Object.keys(dedicatedIndexesOf(await scan(table), sales.list));
      for (const { sk } of await table.queryPartition(pk)) await table.transact([table.deleteWrite({ pk, sk })]);
      const own = testTableOf(table);
      crashAt(interceptCalls(own), failing, "before");
      await dropEmptyIndexes(own, sales.list, sales.fence, clock).catch((error) => failures.push(error));
      await dropEmptyIndexes(table, sales.list, sales.fence, clock);
      const items = await scan(table);
      expect(items.filter((item) => item.pk.startsWith(pk) || item.unbegun !== undefined)).toEqual([]);
      expect(dedicatedIndexesOf(items, sales.list)).toEqual({});
    }
    expect(failures).toEqual([1, 2, 3].map(() => new Error("killed")));
  });

  test("are removed while another one is being created", async () => {
    const shop = await createSales();
    const { sales, write, clock, table } = shop;
    const [emptied, unbegun] = ["1", "2"].map((value) =>
      entriesPartition(sales.list, { field: "pos_customer_id", value }),
    ) as [string, string];
    await write(names(6));
    await interruptCreation(shop, 2);
    for (const { pk, sk } of await table.queryPartition(emptied)) await table.transact([table.deleteWrite({ pk, sk })]);
    await dropEmptyIndexes(table, sales.list, sales.fence, clock);
    const [dayIndex] = await table.queryPartition(sales.list.orders.rank.dayIndexPartition);
    expect(dayIndex).toMatchObject({ lists: {}, unbegun: [unbegun] });
  });
});
