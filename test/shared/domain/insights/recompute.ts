import { execFileSync } from "node:child_process";
import { readInsightSettings } from "../../../../shared/domain/insights/insightSettings.ts";
import { readSalesDays } from "../../../../shared/domain/replication/readSalesDays.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { type InsightShop, lastDay } from "./insightShop.ts";

const program = new URL("./recompute_insights.py", import.meta.url).pathname;

type Named = [code: string, start: string, end: string];

/** The code, the first and the last day of each insight of a shop: those of the service, and those that a program in Python finds. */
export async function recompute(table: Table, shop: InsightShop): Promise<{ stored: Named[]; computed: Named[] }> {
  const records = await table.queryPartition(recordList(shop.crbId, "sale").pk, { consistent: true });
  const window = { start_date: undefined, end_date: undefined, offset: 0, limit: 1_000 };
  const lists = {
    sales: records.flatMap(({ body }) => (body ? [JSON.parse(body as string)] : [])),
    sales_days: (await readSalesDays(table, shop.crbId, window)).days,
    settings: await readInsightSettings(table, shop.spId),
    from: addDays(lastDay, -30),
    to: lastDay,
  };
  const out = execFileSync("python3", [program], { input: JSON.stringify(lists), maxBuffer: 2 ** 27 });
  const stored = (await shop.insights()).map(({ code, start_date, end_date }): Named => [code, start_date, end_date]);
  return { stored: stored.sort(), computed: JSON.parse(out.toString()).sort() };
}
