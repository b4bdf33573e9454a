import { recordId } from "../../../shared/table/recordId.ts";
import { listSales, type SalesQuery } from "../../../shared/table/sales.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { regular, saleDays } from "../data/records.ts";

const day = 86_400_000;

/** Sales by the day of the sale and by customer, against a page of all sales of the same size, at any depth. */
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
}
