import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { entriesPartition } from "../../../../shared/store/keys/indexEntries.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { newDayIndex } from "../../../../shared/store/orderedList/dayIndex.ts";
import { dedicatedIndexOf } from "../../../../shared/store/orderedList/dedicatedIndexes.ts";
import type { SalesQuery } from "../../../../shared/store/sales.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideResponses } from "./hideResponses.ts";
import { TestClock } from "./listUnderTest.ts";
import { recordReads } from "./recordReads.ts";
import { SalesUnderTest, saleDate } from "./salesUnderTest.ts";

describe("whether a value has a list of its own, by the newest directory", () => {
  const list = recordList("a CRB", "sale");
  const term = { field: "customer_id", value: "c" };
  const pk = entriesPartition(list, term);
  const at = (now: number, dedicatedIndexes: Record<string, number> | undefined) => {
    const older = { ...newDayIndex("2025"), dedicatedIndexes: { [pk]: 0 } };
    return dedicatedIndexOf(list, [older, { ...newDayIndex("2026"), dedicatedIndexes }], term, new Date(now))?.pk;
  };

  test("from a minute on after it was made, when the index shows it", () => {
    expect([at(60_999, { [pk]: 1_000 }), at(61_000, { [pk]: 1_000 })]).toEqual([undefined, pk]);
  });

  test("none where nothing tells of it", () => {
    expect([at(100_000, undefined), at(100_000, { another: 1_000 })]).toEqual([undefined, undefined]);
    expect(dedicatedIndexOf(list, [], term, new Date(100_000))).toBeUndefined();
  });
});

describe("sales of a customer with a list of its own", () => {
  const day = 24 * 3_600_000;
  const sales = new SalesUnderTest();
  const count = 48;
  let table: Table;
  beforeAll(async () => {
    table = await createTestTable();
    await sales.begin(table);
    const clock = new TestClock("2026-03-01T10:00:00.000Z");
    // Twelve sales on each of four sale days; then six of them change on the next day.
    const all = Array.from({ length: count }, (_, name) => ({
      name,
      customer: "1",
      day: 1 + Math.floor(name / 12),
      version: 0,
    }));
    await sales.writer(table, clock).write(all);
    clock.advance(day);
    await sales.writer(table, clock).write(all.slice(0, 6).map((sale) => ({ ...sale, version: 1 })));
  });

  /**
   * The reads of a query: which of the customer's entries, which records and by which field, and the number of calls,
   * with the day indexes.
   */
  async function reads(query: Omit<SalesQuery, "customer_id">, reader = testTableOf(table)) {
    const noted = recordReads(reader);
    const whole = { customer_id: sales.customerId("1"), ...query };
    expect(await sales.page(reader, whole)).toEqual(await sales.expected(table, whole));
    const [records, ...others] = noted.map(({ asks }) => asks[0] ?? "").reverse();
    const isRange = /^\d{4}-\d\d-\d\d#\d{8}\.\.|^ENTRY/;
    const entries = others.filter((asks) => isRange.test(asks)).reverse();
    const all = noted.find(({ asks }) => asks[0]?.startsWith("ENTRY"));
    return { entries, byCustomer: records?.includes(".."), calls: noted.length, consistent: all?.consistent };
  }

  test("in the order of updates: the entries of a page, and records together", async () => {
    expect(await reads({ offset: 4, limit: 10 })).toEqual({
      entries: ["2026-03-01#00000040..2026-03-02#00000001"],
      byCustomer: true,
      calls: 5,
    });
  });

  test("in the order of updates, where the index does not show them yet: once more", async () => {
    const reader = testTableOf(table);
    hideResponses(reader, { index: 1 });
    await reads({ offset: 4, limit: 10 }, reader);
  });

  test("in that of sale days: records together where ten of one update day are, side by side", async () => {
    const ofDay = (day: number, limit: number) => reads({ offset: 0, limit, end_date: saleDate(day) });
    expect(await ofDay(3, 9)).toMatchObject({ byCustomer: false });
    expect(await ofDay(3, 10)).toEqual({
      entries: ["2026-01-03#00000002..2026-01-03#00000011"],
      byCustomer: true,
      calls: 4,
    });
    // Six of them are on another update day.
    expect(await ofDay(1, 10)).toMatchObject({ byCustomer: false });
  });

  const updated = { from: { last_updated_from: "2026-03-02" }, to: { last_updated_to: "2026-03-01" } };
  test.each([
    ["updates", { start_date: saleDate(1), ...updated.from }, "2026-03-02#00000000..2026-03-02#00000005"],
    ["sale days", { end_date: saleDate(1), ...updated.to }, "2026-01-01#00000006..2026-01-01#00000017"],
    [
      "updates, all of them",
      { start_date: saleDate(3), last_updated_from: "2026-03-01" },
      "2026-01-04#00000008..2026-01-04#00000010",
    ],
  ])("in both windows: the entries of the narrower one, of %s", async (_, windows, entries) => {
    expect((await reads({ offset: 1, limit: 3, ...windows })).entries).toEqual([entries]);
  });

  test("in both windows: records together where ten of one update day are, side by side", async () => {
    const query = { offset: 1, limit: 12, start_date: saleDate(2), ...updated.to };
    expect(await reads(query)).toMatchObject({ byCustomer: true });
  });

  test("where the index does not show all of these yet: all entries as they are now", async () => {
    const reader = testTableOf(table);
    hideResponses(reader, { index: 1 });
    const query = { offset: 1, limit: 3, start_date: saleDate(1), ...updated.from };
    const { entries, consistent } = await reads(query, reader);
    expect(consistent).toBe(true);
    expect(entries).toEqual([expect.any(String), expect.stringMatching(/^ENTRY/)]);
  });
});
