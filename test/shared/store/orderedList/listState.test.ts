import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { listInventory } from "../../../../shared/store/inventory.ts";
import { dayIndexKey, locationInventoryList } from "../../../../shared/store/keys/orderedLists.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { openPage } from "../../../../shared/store/orderedList/readPage.ts";
import { listSales, type SalesQuery } from "../../../../shared/store/sales.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { toyAmounts } from "../salesDays/toySale.ts";
import { writeInventory } from "../writeInventory.ts";
import { interceptCalls, namesOf, newList, recordId } from "./listUnderTest.ts";

const hour = 3_600_000;
const day = 24 * hour;
const table = await createTestTable();

describe("the state of a list", () => {
  const createList = async () => {
    const given = await newList(table, { start: "2026-12-30T10:00:00.000Z" });
    const write = (name: number, content: number) => given.write([name], content);
    const state = async (window = {}) => (await openPage(table, given.list, { offset: 0, limit: 10, ...window })).state;
    await write(1, 0);
    await write(2, 0);
    return { ...given, write, state };
  };

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
    clock.advance(5 * day);
    // The first change of a year also changes the previous one.
    await write(3, 0);
    const before = await state({ to: "2026-12-31" });
    await write(4, 0);
    expect(await state({ to: "2026-12-31" })).toEqual(before);
  });

  test("differs if a list starts again and reaches the same version", async () => {
    const { list, clock, write, state } = await createList();
    const before = await state();
    const dayIndex = dayIndexKey(list.orders.rank, "2026");
    for (const key of [dayIndex, ...[1, 2].map((number) => ({ pk: list.pk, sk: recordId(number) }))]) {
      await table.delete(key);
    }
    clock.advance(hour);
    await write(1, 5);
    await write(2, 5);
    const [{ version } = { version: 0 }] = await loadDayIndexes(table, list.orders.rank);
    expect(version).toBe(2);
    expect((await state()).text).not.toBe(before.text);
  });

  test("is the one before a change that comes while the page is read", async () => {
    const { list, write, state } = await createList();
    const before = await state();
    const reader = testTableOf(table);
    const opened = await openPage(reader, list, { offset: 0, limit: 10 });
    interceptCalls(reader).before = async () => void (await write(1, 1));
    // The changed record is now at the front, before the page.
    expect(namesOf((await opened.read()).records)).toEqual([2]);
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
    ...toyAmounts(1_000),
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
        const options = { crbId, kind: "sale", segmentSize: 4_096, ...indexingOptions.sale } as const;
        const { clock, ...given } = await newList(table, options);
        const writer = given.writer();
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
          clock.advance(wait);
        }
      }),
      { numRuns: isThorough ? 25 : 6 },
    );
  });

  test("for inventory, whose state includes embedded products, and for each location", async () => {
    const crbId = randomUUID();
    const [here, there] = [randomUUID(), randomUUID()];
    const { clock, fence, write } = await newList(table, { crbId, kind: "product" });
    const stock = (number: number, quantity: number, location_id: string) => {
      const id = recordId(number);
      const content = { id, product_id: recordId(1), location_data: [{ location_id, quantity }] };
      return writeInventory(table, crbId, { fence, clock }, [{ id, content }]);
    };
    const states = async () => {
      const page = { offset: 0, limit: 10 };
      const opened = [
        listInventory(table, crbId, page),
        listInventory(table, crbId, { ...page, expand: true }),
        ...[here, there].map((id) => openPage(table, locationInventoryList(crbId, id), page)),
      ];
      return (await Promise.all(opened)).map(({ state }) => state.text);
    };
    await write([1], 1);
    await stock(1, 1, here);
    await stock(2, 1, there);
    const changed = async (change: () => Promise<unknown>) => {
      const before = await states();
      await change();
      return (await states()).map((text, i) => text !== before[i]);
    };
    expect(await changed(() => write([1], 2))).toEqual([false, true, false, false]);
    expect(await changed(() => stock(1, 2, here))).toEqual([true, true, true, false]);
    expect(await changed(() => stock(2, 2, there))).toEqual([true, true, false, true]);
  });
});
