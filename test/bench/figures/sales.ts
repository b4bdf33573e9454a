import { handler } from "../../../functions/sales/listSales.ts";
import { type ListOrder, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { listSales, type SalesQuery } from "../../../shared/store/sales.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { compare } from "../compare.ts";
import { callOf } from "../data/business.ts";
import { daysAgo } from "../data/fill.ts";
import { regular, saleDays, walkIn } from "../data/records.ts";
import { Floor, ranksOf } from "../floor.ts";

const day = 86_400_000;

/** Compares pages of sales by the day of the sale and by customer, at any depth, with a page of all sales of the same size. */
export async function sales(bench: Bench): Promise<void> {
  const { crbId, connection } = await bench.data.sales(bench.records);
  const read = (query: SalesQuery) =>
    costOf(bench.table.client, async () => (await listSales(bench.table, crbId, query)).read());
  const end = Date.parse(connection.connectedAt);
  const filters = {
    "Sales of half a year": { start_date: isoDay(end, saleDays * 0.75), end_date: isoDay(end, saleDays * 0.25) },
    "Sales to one customer": { customer_id: recordId(crbId, "customer", connection.posType, regular.posId) },
  };
  for (const [name, filter] of Object.entries(filters)) {
    const { total } = (await read({ ...filter, offset: 0, limit: 1 })).result;
    const limit = Math.min(1_000, total);
    const all = await read({ offset: 0, limit });
    for (const offset of new Set([0, total - limit])) {
      const { readUnits } = await read({ ...filter, offset, limit });
      bench.figure(
        `${name}, page of ${count(limit)} of ${count(total)} at offset ${count(offset)}, N = ${count(bench.records)}: read units against no filter`,
        readUnits / all.readUnits,
        "times",
        { atMost: 1.3 },
      );
    }
  }
  const days = { updated: { last_updated_from: daysAgo(7) }, sold: filters["Sales of half a year"] };
  const totalOf = async (query: Omit<SalesQuery, "offset" | "limit">) =>
    (await read({ ...query, offset: 0, limit: 1 })).result.total;
  const narrower = {
    "a week of updates": { both: { ...days.updated, ...days.sold }, records: await totalOf(days.updated) },
    "half a year of sales": {
      both: { last_updated_from: daysAgo(59), ...days.sold },
      records: await totalOf(days.sold),
    },
  };
  for (const [window, { both, records }] of Object.entries(narrower)) {
    const { readUnits } = await read({ ...both, offset: 0, limit: 10 });
    bench.figure(
      `Sales by both windows, the narrower one ${window} with ${count(records)}, N = ${count(bench.records)}: read units of each of its sales`,
      readUnits / records,
      "read units",
      // A few units for the days matter if the window has few sales.
      bench.records < 100_000 ? undefined : { atMost: 0.2 },
    );
  }
  await ofCustomers(bench);
  await againstFloor(bench);
}

/** The read units of a page of a regular customer's sales, and of the walk-in customer's in the longest window. */
async function ofCustomers(bench: Bench): Promise<void> {
  const { crbId, connection } = await bench.data.sales(bench.records);
  const end = Date.parse(connection.connectedAt);
  const month = { start_date: isoDay(end, 100), end_date: isoDay(end, 69) };
  const queries = [
    ["a regular customer by update", regular.posId, {}, { atMost: 60 }],
    ["a regular customer by sale day", regular.posId, { start_date: "2020-01-01" }, undefined],
    ["the walk-in customer in 32 days", walkIn.posId, month, undefined],
  ] as const;
  for (const [name, posId, window, bar] of queries) {
    const customer_id = recordId(crbId, "customer", connection.posType, posId);
    for (const offset of [0, 100]) {
      const query = { customer_id, offset, limit: 100, ...window };
      const { result, readUnits } = await costOf(bench.table.client, async () =>
        (await listSales(bench.table, crbId, query)).read(),
      );
      bench.figure(
        `Sales to ${name}, page of 100 of ${count(result.total)} at offset ${offset}, N = ${count(bench.records)}`,
        readUnits,
        "read units",
        bar,
      );
    }
  }
}

/** Compares the time of a page of 1,000 sales, in both orders and at both ends, with that of calls of the bare SDK. */
async function againstFloor(bench: Bench): Promise<void> {
  const business = await bench.data.sales(bench.records);
  const list = recordList(business.crbId, "sale");
  const floor = new Floor(bench.table, business);
  const orders = {
    "by update": [list.orders.rank, {}],
    "by sale day": [list.orders.saleRank, { start_date: "2020-01-01" }],
  };
  for (const [name, [order, window]] of Object.entries(orders) as [string, [ListOrder, object]][]) {
    for (const offset of [0, bench.records - Math.max(1_000, bench.records / 100)]) {
      const ranks = await ranksOf(bench.table, list, offset, offset + 1_000, order);
      const query = { limit: 1_000, offset, ...window };
      const ways = {
        service: callOf(handler, business, "/sales", { query }),
        floor: () => floor.page(list, ranks, order),
      };
      const { ratio } = await compare(ways, { rounds: 15, calls: 3, warmUp: 8 });
      const page = `Page of 1,000 sales ${name} at offset ${count(offset)}, N = ${count(bench.records)}`;
      bench.figure(`${page}: time against the floor`, ratio("service", "floor"), "times", { atMost: 1.3 });
      const [own, least] = [await costOf(bench.table.client, ways.service), await costOf(floor.client, ways.floor)];
      bench.figure(`${page}: read units against the floor`, own.readUnits / least.readUnits, "times", { atMost: 1.1 });
    }
  }
}

const isoDay = (end: number, ago: number) => new Date(end - ago * day).toISOString().slice(0, 10);
