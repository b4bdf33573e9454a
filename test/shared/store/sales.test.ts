import { randomUUID } from "node:crypto";
import type { BatchGetItemCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import type { Item } from "../../../shared/store/client.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import type { SalesQuery } from "../../../shared/store/sales.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls, TestClock } from "./orderedList/listUnderTest.ts";
import { type SaleOf, SalesUnderTest, saleDate } from "./orderedList/salesUnderTest.ts";

type Filters = Omit<SalesQuery, "offset" | "limit">;

/** Sales of three weeks, spread over days and customers; some have no customer. */
function sale(name: number, version: number): SaleOf {
  // Version 2 corrects a sale's day, so that the sale also moves in the order by sale day.
  const day = 1 + ((name * 7 + (version > 1 ? 3 : 0)) % 21);
  const customer = name % 6 === 5 ? null : (["a", "b", "c", "d"][name % 4] ?? null);
  return { name, version, day, customer, ...(name % 3 === 0 && { buyer: name % 2 ? "a" : customer }) };
}

/** Pages of several sizes, first and last ones. */
const windows = [
  { offset: 0, limit: 1_000 },
  { offset: 0, limit: 1 },
  { offset: 3, limit: 4 },
  { offset: 5, limit: 1_000 },
];

/** Small segments, and those of a deployed stage. */
describe.each([8, 4_096])("sales with any combination of filters, in segments of %s", async (segmentSize) => {
  const table = await createTestTable();
  const sales = new SalesUnderTest(segmentSize);
  const customerId = sales.customerId("b");
  let stored: Item[];
  beforeAll(async () => {
    const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: "2026-03-01T00:00:00.000Z" };
    await createCrb(table, { record: crbRecord(sales.crbId), serviceProviderId: randomUUID(), connection });
    await sales.begin(table);
    const clock = new TestClock("2026-03-01T12:00:00.000Z");
    for (let version = 0; version < 4; version++) {
      const names = Array.from({ length: 60 }, (_, name) => name).filter((name) => name % (version + 1) === 0);
      await sales.writer(table, clock).write(names.map((name) => sale(name, version)));
      clock.advance(24 * 60 * 60_000);
    }
    stored = await table.queryPartition(sales.list.pk);
  });
  const count = (filters: Filters) => sales.expectedOf(stored, { offset: 0, limit: 1, ...filters }).total;

  const filters: Filters[] = [
    { last_updated_from: "2026-03-02" },
    { last_updated_to: "2026-03-02" },
    { last_updated_from: "2026-03-02", last_updated_to: "2026-03-02" },
    { start_date: saleDate(8) },
    { end_date: saleDate(12) },
    { start_date: saleDate(8), end_date: saleDate(8) },
    { customer_id: customerId },
    { customer_id: "00000000-0000-0000-0000-000000000000" },
    { pos_customer_id: "a" },
    { pos_customer_id: "c" },
  ];
  const pairs = filters.flatMap((first, i) => filters.slice(i).map((second) => ({ ...first, ...second })));
  const nameOf = (query: Filters) => JSON.stringify(query).replace(customerId, "b");
  test.each(pairs.map((query) => [nameOf(query), query] as const))("%s", async (_, query) => {
    for (const window of windows) {
      const page = await sales.page(table, { ...window, ...query });
      expect(page).toEqual(sales.expectedOf(stored, { ...window, ...query }));
    }
  });

  const byCustomer: Filters[] = [{ customer_id: customerId }, { pos_customer_id: "b" }];
  test.each(byCustomer)("of one customer are read together, by filter %#", async (query) => {
    const reader = testTableOf(table);
    let single = 0;
    interceptCalls(reader).before = (command, input) => {
      if (command !== "BatchGetItemCommand") return;
      const { Keys = [] } = (input as BatchGetItemCommandInput).RequestItems?.[table.name] ?? {};
      single += Keys.filter(({ pk }) => pk?.S === sales.list.pk).length;
    };
    const { total } = await sales.page(reader, { offset: 0, limit: 1_000, ...query });
    expect([total > 4, single]).toEqual([true, 0]);
  });

  describe("of a customer with more sales than can be listed", () => {
    const page = (query: Filters, maxSales: number) =>
      sales.page(table, { offset: 1, limit: 5, ...query }, { maxSales });
    const customer = { pos_customer_id: "a" };

    test.each([
      {},
      { start_date: saleDate(10) },
      { end_date: saleDate(10) },
      { start_date: saleDate(1), end_date: "2026-02-02" },
      { last_updated_from: "2026-03-02", last_updated_to: "2026-03-02" },
    ])("need both sale days, at most 31 days apart: %o", async (windows) => {
      const total = count(customer);
      await expect(page({ ...customer, ...windows }, total - 1)).rejects.toMatchObject({
        kind: "invalid",
        details: {
          code: "window_required",
          fields: { "query.start_date": { message: expect.stringContaining("31 days") }, "query.end_date": {} },
        },
      });
      expect((await page({ ...customer, ...windows }, total)).total).toBe(count({ ...customer, ...windows }));
    });

    test.each([
      { start_date: saleDate(1), end_date: "2026-02-01" },
      { start_date: saleDate(8), end_date: saleDate(12) },
      { start_date: saleDate(8), end_date: saleDate(12), last_updated_from: "2026-03-02" },
    ])("are found in a short window: %o", async (windows) => {
      const query = { ...customer, ...windows };
      const found = await page(query, 1);
      expect([found.total, found.sales.length]).toEqual([count(query), Math.min(5, count(query) - 1)]);
      expect(await page(query, 1_000)).toEqual(found);
    });
  });

  test("include matches of every filter in the test data", () => {
    for (const one of filters.filter(({ customer_id }) => customer_id === undefined || customer_id === customerId))
      expect(count(one)).toBeGreaterThan(0);
    expect(stored).toHaveLength(60);
  });
});
