import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../../shared/store/client.ts";
import type { SalesQuery } from "../../../../shared/store/sales.ts";
import {
  dedicatedIndexesOf,
  faultsOfDedicatedIndexes,
  strayCounts,
} from "../../../system/chaos/faultsOfDedicatedIndexes.ts";
import { scan } from "../../../system/chaos/tableState.ts";
import { RealRules } from "../../../system/realRules/realRules.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { faultsOfTotals } from "../salesDays/faultsOfTotals.ts";
import { interceptCalls, TestClock } from "./listUnderTest.ts";
import { type SaleOf, SalesUnderTest, saleDate } from "./salesUnderTest.ts";

const minute = 60_000;
export const day = 24 * 60 * minute;
export const walkIn = "1";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** Most sales are of one customer; a sale may change its customer and its day. */
const sale = fc.record({
  name: fc.nat(39),
  customer: fc.constantFrom(walkIn, walkIn, walkIn, "2", "3"),
  day: fc.integer({ min: 1, max: 4 }),
  version: fc.nat(3),
});
const batch = fc.array(sale, { minLength: 1, maxLength: 25 });
const pause = fc.constantFrom(0, minute, 6 * 60 * minute, day, 40 * day);
const history = fc.array(fc.tuple(pause, batch), { minLength: 1, maxLength: 6 });

/** Every combination of filters, for a history that began on March 1. */
export function queriesOf(sales: SalesUnderTest): Omit<SalesQuery, "offset" | "limit">[] {
  const customers = [
    { customer_id: sales.customerId(walkIn) },
    { pos_customer_id: walkIn },
    { customer_id: sales.customerId(walkIn), pos_customer_id: walkIn },
    { customer_id: sales.customerId(walkIn), pos_customer_id: "2" },
    { customer_id: sales.customerId("2") },
  ];
  const windows = [
    {},
    { last_updated_from: "2026-03-02" },
    { last_updated_to: "2026-03-02" },
    { start_date: saleDate(2) },
    { start_date: saleDate(2), end_date: saleDate(3) },
    { last_updated_from: "2026-01-01", end_date: saleDate(3) },
    { last_updated_from: "2026-03-02", start_date: saleDate(2) },
    { last_updated_to: "2026-03-01", start_date: saleDate(2) },
  ];
  return customers.flatMap((customer) => windows.map((window) => ({ ...customer, ...window })));
}

async function expectSound(sales: SalesUnderTest): Promise<void> {
  const items = await scan(table);
  const faults = [...faultsOfDedicatedIndexes(items, sales.list), ...strayCounts(items)];
  expect([...faults, ...faultsOfTotals(items, sales.list)]).toEqual([]);
  const stored = items.filter(({ pk }) => pk === sales.list.pk);
  for (const filters of queriesOf(sales)) {
    for (const page of [
      { offset: 0, limit: 1_000 },
      { offset: 3, limit: 5 },
    ]) {
      const query = { ...filters, ...page };
      expect(await sales.page(table, query), JSON.stringify(query)).toEqual(sales.expectedOf(stored, query));
    }
  }
}

/** This number of sales of the walk-in customer, on four days in turn. */
export function salesOf(count: number, version = 0): SaleOf[] {
  return Array.from({ length: count }, (_, name) => ({ name, customer: walkIn, day: 1 + (name % 4), version }));
}

/** The order of updates, the order of sale days, and both windows, with an open window of updates. */
const filters = [{}, { start_date: saleDate(1) }, { start_date: saleDate(1), last_updated_from: "2026-12-30" }];

/** The number of histories: few in `npm test`, more in the long tests. */
interface Histories {
  /** histories of writers without lags */
  numRuns: number;
  /** histories of pagination by DynamoDB's real rules */
  seeds: number;
}

/** Tests that dedicated indexes agree with the records in random histories. */
export function describeDedicatedIndexes({ numRuns, seeds }: Histories): void {
  test("after any history of sales, with a killed or a concurrent writer, filters, totals and orders match the records", async () => {
    let lists = 0;
    await fc.assert(
      fc.asyncProperty(history, fc.nat(60), fc.boolean(), async (steps, interruptedCall, isKilled) => {
        const sales = new SalesUnderTest();
        await sales.begin(table);
        const clock = new TestClock("2026-03-01T10:00:00.000Z");
        const hooked = testTableOf(table);
        const calls = interceptCalls(hooked);
        let call = 0;
        calls.before = async () => {
          if (call++ !== interruptedCall) return;
          if (isKilled) throw new Error("killed");
          await sales.writer(table, clock).write(steps[0]?.[1] ?? []);
        };
        for (const [wait, some] of steps) {
          clock.advance(wait);
          await sales
            .writer(hooked, clock)
            .write(some)
            .catch((error: Error) => expect(error.message).toBe("killed"));
        }
        await expectSound(sales);
        lists += Object.keys(dedicatedIndexesOf(await scan(table), sales.list)).length;
      }),
      { numRuns },
    );
    expect(lists).toBeGreaterThan(numRuns / 3);
  }, 600_000);

  test("by DynamoDB's real rules, pagination with two writers, right after the list began, misses no unchanged sale", async () => {
    const unchanged: number[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const chance = dice("dedicated indexes", seed);
      // Right after the list began, indexes have the longest lag; later, the usual lag without load.
      const lags = seed % 2 ? { usualLag: 20_000 } : { indexLag: 1_000 };
      const world = new RealRules({ seed, start: "2026-12-29T10:00:00.000Z", ...lags });
      const own = testTableOf(table, world.clock);
      const sales = new SalesUnderTest();
      await sales.begin(table);
      world.attach(own);
      await sales.writer(own, world.clock).write(salesOf(30));
      // Recent changes may be missing: nodes of the table lag by a second at most, those of an index by half a minute.
      await world.clock.sleep(2_000);
      if (seed % 2 === 0) {
        await world.clock.sleep(day);
        await sales.writer(own, world.clock).write(salesOf(30, 1).slice(15));
        await world.clock.sleep(minute);
      }
      let version = 1;
      const changes = async () => {
        const writer = sales.writer(own, world.clock);
        for (let i = 0; i < 6; i++) {
          await writer.write(salesOf(30, ++version).filter(() => chance.percent(5)));
          await world.clock.sleep(chance.between(0, 100));
        }
      };
      const limit = chance.between(2, 5);
      const queries = filters.map((filter) => ({ customer_id: sales.customerId(walkIn), ...filter }));
      const readAllPages = (filter: (typeof queries)[number]) => async () => {
        const seen = new Set<string>();
        for (let offset = 0, total = 1; offset < total; offset += limit) {
          const page = await sales.page(own, { ...filter, offset, limit });
          total = page.total;
          for (const name of page.sales) seen.add(name);
        }
        return seen;
      };
      const all = { offset: 0, limit: 1_000 };
      const before = await Promise.all(queries.map((filter) => sales.expected(table, { ...filter, ...all })));
      const outcomes = await world.run([
        ...queries.map((filter) => ({ name: `pages ${JSON.stringify(filter)}`, work: readAllPages(filter) })),
        { name: "writer", work: changes },
        { name: "other writer", work: changes },
      ]);
      const log = `seed ${seed}\n${world.history()}`;
      expect(
        outcomes.flatMap(({ error }) => error ?? []),
        log,
      ).toEqual([]);
      for (const [i, filter] of queries.entries()) {
        const after = await sales.expected(table, { ...filter, ...all });
        const same = before[i]?.sales.filter((name) => after.sales.includes(name)) ?? [];
        const seen = outcomes[i]?.value as Set<string>;
        unchanged[i] = (unchanged[i] ?? 0) + same.length;
        expect(
          same.filter((name) => !seen.has(name)),
          `${outcomes[i]?.name}, ${log}`,
        ).toEqual([]);
      }
      expect(faultsOfDedicatedIndexes(await scan(table), sales.list)).toEqual([]);
    }
    for (const count of unchanged) expect(count).toBeGreaterThan(2 * seeds);
    expect(unchanged).toHaveLength(filters.length);
  }, 600_000);
}
