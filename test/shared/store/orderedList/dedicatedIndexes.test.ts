import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { entriesPartition } from "../../../../shared/store/keys/indexEntries.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { newDayIndex } from "../../../../shared/store/orderedList/dayIndex.ts";
import { dedicatedIndexOf } from "../../../../shared/store/orderedList/dedicatedIndexes.ts";
import type { SalesQuery } from "../../../../shared/store/sales.ts";
import { faultsOfDedicatedIndexes } from "../../../system/chaos/faultsOfDedicatedIndexes.ts";
import { scan } from "../../../system/chaos/tableState.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { TestClock } from "./listUnderTest.ts";
import { SalesUnderTest, saleDate } from "./salesUnderTest.ts";

describe("a value's dedicated index, by the newest day index", () => {
  const list = recordList("a CRB", "sale");
  const term = { field: "customer_id", value: "c" };
  const pk = entriesPartition(list, term);
  const at = (now: number, dedicatedIndexes: Record<string, number> | undefined) => {
    const older = { ...newDayIndex("2025"), dedicatedIndexes: { [pk]: 0 } };
    return dedicatedIndexOf(list, [older, { ...newDayIndex("2026"), dedicatedIndexes }], term, new Date(now))?.pk;
  };

  test("is used from a minute after its creation, when the secondary index has it", () => {
    expect([at(60_999, { [pk]: 1_000 }), at(61_000, { [pk]: 1_000 })]).toEqual([undefined, pk]);
  });

  test("does not exist if no day index names it", () => {
    expect([at(100_000, undefined), at(100_000, { another: 1_000 })]).toEqual([undefined, undefined]);
    expect(dedicatedIndexOf(list, [], term, new Date(100_000))).toBeUndefined();
  });
});

describe("sales of a customer with a dedicated index", () => {
  const sales = new SalesUnderTest();
  let table: Table;
  beforeAll(async () => {
    table = await createTestTable();
    await sales.begin(table);
    const clock = new TestClock("2026-03-01T10:00:00.000Z");
    // Twelve sales on each of four sale days. Six of them change on the next day.
    const all = Array.from({ length: 48 }, (_, name) => ({
      name,
      customer: "1",
      day: 1 + Math.floor(name / 12),
      version: 0,
    }));
    await sales.writer(table, clock).write(all);
    clock.advance(24 * 3_600_000);
    await sales.writer(table, clock).write(all.slice(0, 6).map((sale) => ({ ...sale, version: 1 })));
  });

  const updated = { from: { last_updated_from: "2026-03-02" }, to: { last_updated_to: "2026-03-01" } };
  test.each<[string, SalesQuery]>([
    ["in the order of updates", { offset: 4, limit: 10 }],
    ["of a sale day, up to a limit", { offset: 0, limit: 9, end_date: saleDate(3) }],
    ["of several sale days", { offset: 0, limit: 30, end_date: saleDate(3) }],
    ["of a sale day with two update days", { offset: 0, limit: 10, end_date: saleDate(1) }],
    ["of both windows, fewer by update days", { offset: 1, limit: 3, start_date: saleDate(1), ...updated.from }],
    ["of both windows, fewer by sale days", { offset: 1, limit: 3, end_date: saleDate(1), ...updated.to }],
    ["of both windows, with many records", { offset: 1, limit: 12, start_date: saleDate(2), ...updated.to }],
  ])("a page %s is returned, also while the index and eventually consistent queries lag", async (_, window) => {
    const query = { customer_id: sales.customerId("1"), ...window };
    const expected = await sales.expected(table, query);
    expect(expected.sales.length).toBeGreaterThan(2);
    expect(await sales.page(testTableOf(table), query)).toEqual(expected);
    const lagging = testTableOf(table);
    hideFromIndex(lagging, 1);
    hideFromLaggingReads(lagging, { command: "QueryCommand" });
    expect(await sales.page(lagging, query)).toEqual(expected);
  });
});

test("sales that get another customer leave the dedicated indexes of their former one", async () => {
  const table = await createTestTable();
  const sales = new SalesUnderTest();
  await sales.begin(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const all = Array.from({ length: 12 }, (_, name) => ({ name, customer: "1", day: 1 + (name % 2), version: 0 }));
  await sales.writer(table, clock).write(all);
  clock.advance(24 * 3_600_000);
  await sales.writer(table, clock).write(all.slice(0, 3).map((sale) => ({ ...sale, customer: "2" })));
  expect(faultsOfDedicatedIndexes(await scan(table), sales.list)).toEqual([]);
  for (const window of [{}, { start_date: saleDate(1) }]) {
    const query = { customer_id: sales.customerId("1"), offset: 0, limit: 12, ...window };
    const page = await sales.page(table, query);
    expect(page).toEqual(await sales.expected(table, query));
    expect(page.total).toBe(9);
  }
});
