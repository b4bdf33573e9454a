import type { Table } from "../client.ts";
import { mondayOf, type SalesWeek, toSalesWeek } from "./salesWeek.ts";

/**
 * Reads the weeks of a window of days, oldest first. A year of days takes about ten read units, and half of that if the read
 * need not be consistent.
 *
 * @param partition the `totalsPartition` of a list
 * @param window all weeks if it has no bounds; the first and the last week may have days outside the window
 */
export async function readSalesWeeks(
  table: Table,
  partition: string,
  window: { from?: string | undefined; to?: string | undefined } = {},
  { consistent = true }: { consistent?: boolean } = {},
): Promise<SalesWeek[]> {
  const items = await table.query({
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: {
      ":pk": partition,
      ":from": window.from ? mondayOf(window.from) : "0000",
      // Weeks begin with a digit. Other items of the partition are sorted after them.
      ":to": window.to ? mondayOf(window.to) : "9999-12-31",
    },
    ConsistentRead: consistent,
  });
  return items.map(toSalesWeek);
}

/**
 * Reads the newest or the oldest weeks, newest or oldest first. The read is eventually consistent: a week is returned as it is
 * now, or as it was a moment ago.
 *
 * @param window bounds of the days; none if absent
 * @param limit maximum number of weeks
 */
export async function readSomeWeeks(
  table: Table,
  partition: string,
  { from, to, limit, newestFirst }: { from?: string; to?: string; limit: number; newestFirst: boolean },
): Promise<SalesWeek[]> {
  const items = await table.query({
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: {
      ":pk": partition,
      ":from": from ? mondayOf(from) : "0000",
      ":to": to ? mondayOf(to) : "9999-12-31",
    },
    ScanIndexForward: !newestFirst,
    Limit: limit,
  });
  return items.map(toSalesWeek);
}
