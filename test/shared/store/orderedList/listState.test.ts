import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { listInventory } from "../../../../shared/store/inventory.ts";
import { dayIndexKey, locationInventoryList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { openPage } from "../../../../shared/store/orderedList/readPage.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import {
  extractSaleIndexedFields,
  listSales,
  type SalesQuery,
  saleCustomer,
  saleDay,
} from "../../../../shared/store/sales.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { writeInventory } from "../writeInventory.ts";
import { interceptCalls, newList, newWriter, recordId, recordToWrite, setFence, TestClock } from "./listUnderTest.ts";

const hour = 3_600_000;
const day = 24 * hour;
let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const fenceOf = async (crbId: string) => {
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table, fence.key, 1);
  return fence;
};

describe("the state of a list", () => {
  const createList = async () => {
    const { list, fence } = await newList(table);
    const clock = new TestClock("2026-12-30T10:00:00.000Z");
    const write = (number: number, content: number) =>
      newWriter(table, list, { fence, clock }).write([recordToWrite(number, content)]);
    const state = async (window = {}) => (await openPage(table, list, { offset: 0, limit: 10, ...window })).state;
    await write(1, 0);
    await write(2, 0);
    return { list, fence, clock, write, state };
  };

  test("changes with a record that is new, changed, or changed again on the same day", async () => {
    const { clock, write, state } = await createList();
    const changes = [
      () => write(3, 0),
      () => write(1, 1),
      async () => clock.advance(day),
      () => write(1, 2),
      () => write(1, 3),
    ];
    const texts = [(await state()).text];
    for (const change of changes) {
      await change();
      texts.push((await state()).text);
    }
    // Only the passage of time changes nothing.
    expect(texts[3]).toBe(texts[2]);
    expect(new Set(texts).size).toBe(changes.length);
  });

  test("stays the same with unchanged records, and has the time of the last change", async () => {
    const { clock, write, state } = await createList();
    const before = await state();
    expect(before.changedAt).toBe(clock.time);
    clock.advance(hour);
    await write(1, 0);
    expect(await state()).toEqual(before);
    await write(1, 1);
    expect((await state()).changedAt).toBe(clock.time);
  });

  test("is that of the window's years", async () => {
    const { clock, write, state } = await createList();
    const [of2026, of2027] = [{ to: "2026-12-31" }, { from: "2027-01-01" }];
    clock.advance(5 * day);
    // The first change of a year also changes the previous one.
    await write(3, 0);
    const before = await state(of2026);
    await write(4, 0);
    expect(await state(of2026)).toEqual(before);
    const since = await state(of2027);
    await write(1, 1);
    expect((await state(of2026)).text).not.toBe(before.text);
    expect((await state(of2027)).text).not.toBe(since.text);
  });

  test("differs if a list starts again and reaches the same version", async () => {
    const { list, fence, clock, write, state } = await createList();
    const before = await state();
    const dayIndex = dayIndexKey(list.orders.rank, "2026");
    for (const key of [dayIndex, ...[1, 2].map((number) => ({ pk: list.pk, sk: recordId(number) }))]) {
      await table.delete(key);
    }
    clock.advance(hour);
    await write(1, 5);
    await newWriter(table, list, { fence, clock }).write([recordToWrite(2, 5)]);
    const [{ version } = { version: 0 }] = await loadDayIndexes(table, list.orders.rank);
    expect(version).toBe(2);
    expect((await state()).text).not.toBe(before.text);
  });

  test("is the one before a change that comes while the page is read", async () => {
    const { list, write, state } = await createList();
    const before = await state();
    const reader = testTableOf(table);
    const opened = await openPage(reader, list, { offset: 0, limit: 10 });
    interceptCalls(reader).before = async () => {
      await write(1, 1);
    };
    const { records } = await opened.read();
    // The changed record is now at the front, before the page.
    expect(records.map((record) => JSON.parse(record).name)).toEqual([2]);
    expect(opened.state).toEqual(before);
    expect((await state()).text).not.toBe(before.text);
  });
});

describe("pages with equal states are equal", () => {
  const customers = ["a", "b"];
  const saleOf = (number: number, version: number) => ({
    id: recordId(number),
    type: number % 3 ? "retail" : "wholesale",
    // Some changes move a sale to another day. Days are in two years.
    local_date: `${number % 2 ? "2026-01" : "2025-12"}-0${1 + ((number + (version >> 1)) % 5)} 10:00:00.000`,
    customer: { customer_id: customers[number % 2], pos_customer_id: customers[(number + (version >> 2)) % 2] },
    version,
    svc_created_date: null,
    svc_updated_date: null,
  });
  const queries: Partial<SalesQuery>[] = [
    {},
    { offset: 2, limit: 2 },
    { last_updated_from: "2026-03-02" },
    { last_updated_to: "2026-03-01" },
    { start_date: "2026-01-02" },
    { end_date: "2025-12-03" },
    { start_date: "2025-12-02", last_updated_from: "2026-03-02" },
    { customer_id: "a" },
    { pos_customer_id: "b" },
    { pos_customer_id: "b", end_date: "2025-12-03", last_updated_to: "2026-03-02" },
  ];
  const step = fc.record({ numbers: fc.uniqueArray(fc.nat(8), { minLength: 1, maxLength: 4 }), version: fc.nat(7) });

  test("for sales with every kind of filter, after any history", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.constantFrom(0, hour, day)), { maxLength: 8 }), async (steps) => {
        const crbId = randomUUID();
        const list = recordList(crbId, "sale");
        const clock = new TestClock("2026-03-01T10:00:00.000Z");
        const terms = {
          extractIndexedFields: extractSaleIndexedFields,
          extractSaleDay: saleDay,
          extractCustomerId: saleCustomer,
        };
        const writer = new RecordWriter(table, list, { fence: await fenceOf(crbId), clock, ...terms });
        const pages = new Map<string, string>();
        for (const [{ numbers, version }, wait] of steps) {
          await writer.write(numbers.map((number) => ({ id: recordId(number), content: saleOf(number, version) })));
          for (const query of queries) {
            const opened = await listSales(table, crbId, { offset: 0, limit: 10, ...query });
            const known = `${JSON.stringify(query)} ${opened.state.text}`;
            const page = JSON.stringify(await opened.read());
            expect(pages.get(known) ?? page).toBe(page);
            pages.set(known, page);
          }
          clock.advance(wait + 1);
        }
      }),
      { numRuns: isThorough ? 25 : 6 },
    );
  });

  test("for inventory, whose state includes embedded products, and for each location", async () => {
    const crbId = randomUUID();
    const [here, there] = [randomUUID(), randomUUID()];
    const fence = await fenceOf(crbId);
    const clock = new TestClock("2026-03-01T10:00:00.000Z");
    const product = (name: string) =>
      new RecordWriter(table, recordList(crbId, "product"), { fence, clock }).write([
        { id: recordId(1), content: { id: recordId(1), name } },
      ]);
    const stock = (number: number, quantity: number, location_id: string) =>
      writeInventory(table, crbId, { fence, clock }, [
        {
          id: recordId(number),
          content: { id: recordId(number), product_id: recordId(1), location_data: [{ location_id, quantity }] },
        },
      ]);
    const states = async () => {
      const page = { offset: 0, limit: 10 };
      const opened = [
        listInventory(table, crbId, page),
        listInventory(table, crbId, { ...page, expand: true }),
        ...[here, there].map((id) => openPage(table, locationInventoryList(crbId, id), page)),
      ];
      return (await Promise.all(opened)).map(({ state }) => state.text);
    };
    await product("One");
    await stock(1, 1, here);
    await stock(2, 1, there);
    const changed = async (change: () => Promise<unknown>) => {
      const before = await states();
      await change();
      return (await states()).map((text, i) => text !== before[i]);
    };
    expect(await changed(() => product("Two"))).toEqual([false, true, false, false]);
    expect(await changed(() => stock(1, 2, here))).toEqual([true, true, true, false]);
    expect(await changed(() => stock(2, 2, there))).toEqual([true, true, false, true]);
  });
});
