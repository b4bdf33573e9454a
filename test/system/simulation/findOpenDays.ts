import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import type { Table } from "../../../shared/store/client.ts";
import { revisedDayPrefix, salesTotalsPartition } from "../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { localDay } from "../../../shared/time/localTime.ts";

/**
 * Sales days that replication has still to complete or to announce (docs/spec.md#sales-days). Each day that the data
 * covers is complete, and is listed if it ended after the first full reading. No other day is complete.
 */
export async function findOpenDays(table: Table, { crbId, timezone }: Connection): Promise<string[]> {
  const { days } = await readSalesDays(table, crbId, { offset: 0, limit: 10_000 });
  const state = await table.get(replicationKey(crbId, "sale"), { consistent: true });
  const { data_as_of: asOf, first_succeeded_at: first } = (state ?? {}) as Record<string, string | null | undefined>;
  const dayOf = (instant: string) => localDay(new Date(instant), timezone);
  const isOver = (date: string) => Boolean(asOf && first && date < dayOf(asOf));
  const listed = new Set(days.map(({ date }) => date));
  const missing: string[] = [];
  for (let date = first && dayOf(first); date && isOver(date); date = addDays(date, 1)) {
    if (!listed.has(date)) missing.push(`${date} is not listed`);
  }
  const pending = await table.queryPartition(salesTotalsPartition(crbId), {
    prefix: revisedDayPrefix,
    consistent: true,
  });
  return [
    ...missing,
    ...days
      .filter(({ date, complete }) => complete !== isOver(date))
      .map(({ date, complete }) => `${date} is ${complete ? "complete" : "not complete"} with data as of ${asOf}`),
    ...pending.map(({ sk }) => `not announced: ${sk}`),
  ];
}
