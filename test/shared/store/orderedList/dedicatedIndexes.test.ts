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
  const day = 24 * 3_600_000;
  const sales = new SalesUnderTest();
  const count = 48;
  let table: Table;
  beforeAll(async () => {
    table = await createTestTable();
    await sales.begin(table);
    const clock = new TestClock("2026-03-01T10:00:00.000Z");
    // Twelve sales on each of four sale days. Six of them change on the next day.
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
   * The reads of a query: the ranges of the customer's index entries, how records are read, and the number of calls
   * with those of day indexes.
   */
  async function reads(query: Omit<SalesQuery, "customer_id">, reader = testTableOf(table)) {
    const allReads = recordReads(reader);
    const fullQuery = { customer_id: sales.customerId("1"), ...query };
    expect(await sales.page(reader, fullQuery)).toEqual(await sales.expected(table, fullQuery));
    const [records, ...others] = allReads.map(({ asks }) => asks[0] ?? "").reverse();
    const isRange = /^\d{4}-\d\d-\d\d#\d{8}\.\.|^ENTRY/;
    const entries = others.filter((asks) => isRange.test(asks)).reverse();
    const all = allReads.find(({ asks }) => asks[0]?.startsWith("ENTRY"));
    return { entries, byCustomer: records?.includes(".."), calls: allReads.length, consistent: all?.consistent };
  }

  test("a page in the order of updates reads its index entries, and its records with one query", async () => {
    expect(await reads({ offset: 4, limit: 10 })).toEqual({
      entries: ["2026-03-01#00000040..2026-03-02#00000001"],
      byCustomer: true,
      calls: 5,
    });
  });

  test("a page in the order of updates is read again if the index lags", async () => {
    const reader = testTableOf(table);
    hideResponses(reader, { index: 1 });
    await reads({ offset: 4, limit: 10 }, reader);
  });

  test("a page by sale day reads its records with one query if ten of one update day are adjacent", async () => {
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
  ])("a page of both windows reads the index entries of the narrower one, by %s", async (_, windows, entries) => {
    expect((await reads({ offset: 1, limit: 3, ...windows })).entries).toEqual([entries]);
  });

  test("a page of both windows reads its records with one query if ten of one update day are adjacent", async () => {
    const query = { offset: 1, limit: 12, start_date: saleDate(2), ...updated.to };
    expect(await reads(query)).toMatchObject({ byCustomer: true });
  });

  test("a page of both windows reads all index entries consistently if the index lags", async () => {
    const reader = testTableOf(table);
    hideResponses(reader, { index: 1 });
    const query = { offset: 1, limit: 3, start_date: saleDate(1), ...updated.from };
    const { entries, consistent } = await reads(query, reader);
    expect(consistent).toBe(true);
    expect(entries).toEqual([expect.any(String), expect.stringMatching(/^ENTRY/)]);
  });
});
