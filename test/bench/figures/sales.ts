import { recordId } from "../../../shared/store/recordId.ts";
import { listSales, type SalesQuery } from "../../../shared/store/sales.ts";
import { type Bench, count } from "../bench.ts";
import { bytesPerUnit, costOf } from "../capacity.ts";
import { daysAgo } from "../data/fill.ts";
import { regular, saleDays, walkIn } from "../data/records.ts";

const day = 86_400_000;
/** The size of an index entry with a sale's position in both orders. */
const entryBytes = 78;

/** Compares pages of sales by the day of the sale and by customer, at any depth, with a page of all sales of the same size. */
export async function sales(bench: Bench): Promise<void> {
  const { crbId, connection } = await bench.data.sales(bench.records);
  const read = (query: SalesQuery) =>
    costOf(bench.table.client, async () => (await listSales(bench.table, crbId, query)).read());
  const end = Date.parse(connection.connectedAt);
  const isoDay = (ago: number) => new Date(end - ago * day).toISOString().slice(0, 10);
  const filters = {
    "Sales of half a year": { start_date: isoDay(saleDays * 0.75), end_date: isoDay(saleDays * 0.25) },
    "Sales to one customer": {
      customer_id: recordId(crbId, "customer", connection.posType, regular.posId),
    },
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
  await ofWalkInCustomer(bench);
  const days = { updated: { last_updated_from: daysAgo(7) }, sold: filters["Sales of half a year"] };
  const totalOf = async (query: Omit<SalesQuery, "offset" | "limit">) =>
    (await read({ ...query, offset: 0, limit: 1 })).result.total;
  const narrower = {
    "a week of updates": { both: { ...days.updated, ...days.sold }, entries: await totalOf(days.updated) },
    "half a year of sales": {
      both: { last_updated_from: "2020-01-01", ...days.sold },
      entries: await totalOf(days.sold),
    },
  };
  for (const [window, { both, entries }] of Object.entries(narrower)) {
    const { readUnits } = await read({ ...both, offset: 0, limit: 10 });
    bench.figure(
      `Sales by both windows, the narrower one ${window} with ${count(entries)}, N = ${count(bench.records)}: read units against its entries of ${entryBytes} bytes`,
      readUnits / ((entries * entryBytes) / bytesPerUnit),
      "times",
      // A day takes at least half a unit, which matters if a day has few sales.
      bench.records < 1_000_000 ? undefined : { atMost: 1.25 },
    );
  }
}

/**
 * Compares a page of the walk-in customer's sales, at any depth, with a page of a regular customer's, who has a thousandth of
 * them.
 */
async function ofWalkInCustomer(bench: Bench): Promise<void> {
  const { crbId, connection } = await bench.data.sales(bench.records);
  const sold = { start_date: "2020-01-01" };
  for (const [order, days] of Object.entries({ "by update": {}, "by sale day": sold })) {
    const read = async (posId: string, offset: number) => {
      const customer_id = recordId(crbId, "customer", connection.posType, posId);
      const query = { customer_id, offset, limit: 100, ...days };
      return costOf(bench.table.client, async () => (await listSales(bench.table, crbId, query)).read());
    };
    const few = await read(regular.posId, 100);
    const { total } = (await read(walkIn.posId, 0)).result;
    for (const offset of [0, Math.floor(total / 2), total - 100]) {
      const many = await read(walkIn.posId, offset);
      const [all, own] = [count(total), count(few.result.total)];
      const name = `Sales to the walk-in customer ${order}, page of 100 of ${all} at offset ${count(offset)}, N = ${count(bench.records)}`;
      bench.figure(`${name}: read units`, many.readUnits, "read units");
      bench.figure(`${name}: read units against a customer with ${own}`, many.readUnits / few.readUnits, "times", {
        atMost: 2,
      });
    }
  }
}
