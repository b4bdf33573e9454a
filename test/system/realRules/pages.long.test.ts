import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import type { SalesQuery } from "../../../shared/store/sales.ts";
import { newList, newWriter, pageOf, recordToWrite } from "../../shared/store/orderedList/listUnderTest.ts";
import { type SaleOf, SalesUnderTest } from "../../shared/store/orderedList/salesUnderTest.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { RealRules } from "./realRules.ts";

const second = 1_000;
/** Of two days; twelve are of one customer. */
const sales: SaleOf[] = Array.from({ length: 24 }, (_, name) => ({
  name,
  customer: name % 2 ? `guest ${name}` : "anonymous",
  day: 1 + (name % 4 < 2 ? 0 : 1),
  version: 0,
}));

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

const queries: [string, (business: SalesUnderTest) => Partial<SalesQuery>][] = [
  ["of all sales by update", () => ({})],
  ["of all sales by sale day", () => ({ start_date: "2026-01-01" })],
  ["of a customer's by update", (business) => ({ customer_id: business.customerId("anonymous") })],
  [
    "of a customer's by sale day",
    (business) => ({ customer_id: business.customerId("anonymous"), start_date: "2026-01-01" }),
  ],
];

test.each(queries)(
  "a page %s shows no earlier version of a record, however far the index lags",
  async (name, queryOf) => {
    let short = 0;
    for (let seed = 1; seed <= (isThorough ? 6 : 2); seed++) {
      const world = new RealRules({ seed, start: "2026-12-20T10:00:00.000Z", usualLag: 30 * second, stalls: 0 });
      const table = testTableOf(shared, world.clock);
      const business = new SalesUnderTest();
      await business.begin(shared);
      world.attach(table);
      const query = { offset: 0, limit: 1_000, ...queryOf(business) };
      const read = async () => {
        await business.writer(table, world.clock).write(sales);
        await world.clock.sleep(3_600 * second);
        const changed = sales.map((sale) => ({ ...sale, version: sale.name % 3 ? 1 : 0 }));
        await business.writer(table, world.clock).write(changed);
        const { total, sales: present } = await business.expected(shared, query);
        for (let i = 0; i < 15; i++) {
          await world.clock.sleep(2 * second);
          const page = await business.page(table, query);
          expect(page.sales, `seed ${seed}`).toEqual(present.filter((sale) => page.sales.includes(sale)));
          expect(page.total).toBe(total);
          if (page.sales.length < total) short++;
        }
        await world.clock.sleep(60 * second);
        expect(await business.page(table, query)).toEqual({ total, sales: present });
      };
      const [outcome] = await world.run([{ name: "client", work: read }]);
      if (outcome?.error) throw outcome.error;
    }
    // A customer's records that the index does not show are read by their ids.
    expect(short > 0).toBe(name.startsWith("of all sales"));
  },
);

test("a client that reads a list to its first empty page, while the index lags behind changes, misses no unchanged record", async () => {
  let late = 0;
  for (const usualLag of [second, 30 * second]) {
    for (let seed = 1; seed <= 4; seed++) {
      const world = new RealRules({ seed, start: "2026-12-20T10:00:00.000Z", usualLag, stalls: 0 });
      const table = testTableOf(shared, world.clock);
      const { list, fence } = await newList(shared);
      world.attach(table);
      const writer = newWriter(table, list, { fence, clock: world.clock });
      const walk = async () => {
        await writer.write(Array.from({ length: 40 }, (_, name) => recordToWrite(name, 0)));
        await world.clock.sleep(3_600 * second);
        await writer.write(Array.from({ length: 20 }, (_, name) => recordToWrite(name, 1)));
        const seen = new Set<number>();
        for (let offset = 0; ; ) {
          const page = await pageOf(table, list, { offset, limit: 10 }).catch((error: Error) => error);
          if (page instanceof Error) {
            expect(page).toMatchObject({ kind: "unavailable" });
            late++;
            await world.clock.sleep(second);
            continue;
          }
          if (page.records.length === 0) {
            expect(offset).toBeGreaterThanOrEqual(page.total);
            break;
          }
          for (const { name } of page.records) seen.add(name);
          offset += page.records.length;
        }
        const unchanged = Array.from({ length: 20 }, (_, i) => 20 + i);
        expect(unchanged.filter((name) => !seen.has(name))).toEqual([]);
      };
      const [outcome] = await world.run([{ name: "client", work: walk }]);
      if (outcome?.error) throw outcome.error;
    }
  }
  expect(late).toBeGreaterThan(0);
});
