import { beforeAll, expect, test } from "vitest";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { countReadUnits } from "../../../readUnits.ts";
import { dedicatedIndexesOf, faultsOfDedicatedIndexes } from "../../../system/chaos/faultsOfDedicatedIndexes.ts";
import { scan } from "../../../system/chaos/tableState.ts";
import { RealRules } from "../../../system/realRules/realRules.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { day, describeDedicatedIndexes, queriesOf, salesOf, walkIn } from "./describeDedicatedIndexes.ts";
import { TestClock } from "./listUnderTest.ts";
import { SalesUnderTest, saleDate, segmentSize } from "./salesUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

describeDedicatedIndexes(isThorough ? { numRuns: 40, seeds: 20 } : { numRuns: 4, seeds: 2 });

test.each([{}, { start_date: saleDate(1) }])(
  "the cost of a page does not depend on the number of the customer's sales: %o",
  async (window) => {
    const measureUnits = async (count: number) => {
      const sales = new SalesUnderTest();
      await sales.begin(table);
      await sales.writer(table, new TestClock("2026-03-01T10:00:00.000Z")).write(salesOf(count));
      const units: number[] = [];
      for (const offset of [0, count / 2, count - 10]) {
        const reader = testTableOf(table);
        const read = countReadUnits(reader);
        const query = { customer_id: sales.customerId(walkIn), offset, limit: 10, ...window };
        const { total, sales: found } = await sales.page(reader, query);
        expect([total, found.length]).toEqual([count, 10]);
        units.push(read());
      }
      return Math.max(...units);
    };
    expect(await measureUnits(800)).toBeLessThanOrEqual(1.2 * (await measureUnits(100)));
  },
  60_000,
);

test("an erased customer with thousands of sales has no dedicated index", async () => {
  const sales = new SalesUnderTest();
  const { crbId } = sales;
  const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: "2026-03-01T00:00:00.000Z" };
  await createCrb(table, { record: crbRecord(crbId), serviceProviderId: crbId, connection });
  await sales.begin(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  await sales.writer(table, clock).write(salesOf(100));
  const erased = await eraseCustomer(table, crbId, sales.customerId(walkIn), { clock, segmentSize });
  expect(erased).toEqual({ stored: false, sales: 100 });
  for (const filters of queriesOf(sales)) {
    expect(await sales.page(table, { ...filters, offset: 0, limit: 10 })).toEqual({ total: 0, sales: [] });
  }
  const items = await scan(table);
  expect(faultsOfDedicatedIndexes(items, sales.list)).toEqual([]);
  expect(dedicatedIndexesOf(items, sales.list)).toEqual({});
});

test("by DynamoDB's real rules, a page of both windows is returned while the index lags", async () => {
  const world = new RealRules({ seed: 1, start: "2026-12-29T10:00:00.000Z", usualLag: 20_000 });
  const own = testTableOf(table, world.clock);
  const sales = new SalesUnderTest();
  await sales.begin(table);
  world.attach(own);
  await sales.writer(own, world.clock).write(salesOf(30));
  await world.clock.sleep(day);
  await sales.writer(own, world.clock).write(salesOf(30, 1).slice(15));
  // Nodes of the table lag by a second at most.
  await world.clock.sleep(2_000);
  const windows = { start_date: saleDate(1), last_updated_from: "2026-12-30" };
  const query = { customer_id: sales.customerId(walkIn), ...windows, offset: 3, limit: 5 };
  expect(await sales.page(own, query)).toEqual({ ...(await sales.expected(table, query)), total: 15 });
});
