import type { PartitionQuery, Table } from "../client.ts";
import { mondayOf, type SalesWeek, toSalesWeek } from "./salesWeek.ts";

/**
 * Reads the weeks of a window of days, by default consistently and the oldest first. A year of days takes about ten read units, and half of that if the read need not be
 * consistent.
 *
 * @param partition the `totalsPartition` of a list
 * @param window all weeks if it has no bounds; the first and the last week may have days outside the window
 */
export async function readSalesWeeks(
  table: Table,
  partition: string,
  window: { from?: string | undefined; to?: string | undefined } = {},
  options: Pick<PartitionQuery, "consistent" | "newestFirst" | "limit"> = {},
): Promise<SalesWeek[]> {
  const items = await table.queryPartition(partition, {
    from: window.from ? mondayOf(window.from) : "0000",
    // Weeks begin with a digit. Other items of the partition are sorted after them.
    to: window.to ? mondayOf(window.to) : "9999-12-31",
    consistent: true,
    ...options,
  });
  return items.map(toSalesWeek);
}
