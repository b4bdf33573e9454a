import type { Table } from "../client.ts";
import { mondayOf, type SalesWeek, toSalesWeek } from "./salesWeek.ts";

/** How weeks are read: consistently by default, the oldest first, and all of them. */
interface WeeksReading {
  consistent?: boolean;
  newestFirst?: boolean;
  /** maximum number of weeks */
  limit?: number;
}

/**
 * Reads the weeks of a window of days. A year of days takes about ten read units, and half of that if the read need not be
 * consistent.
 *
 * @param partition the `totalsPartition` of a list
 * @param window all weeks if it has no bounds; the first and the last week may have days outside the window
 */
export async function readSalesWeeks(
  table: Table,
  partition: string,
  window: { from?: string | undefined; to?: string | undefined } = {},
  { consistent = true, newestFirst = false, limit }: WeeksReading = {},
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
    ScanIndexForward: !newestFirst,
    Limit: limit,
  });
  return items.map(toSalesWeek);
}
