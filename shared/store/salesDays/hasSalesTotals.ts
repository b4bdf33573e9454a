import type { Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";

/**
 * Whether the stored totals of sales days cover all sales of a list. They do not if the list is older than totals, until it is
 * rebuilt. Such a list has no digest either. Takes one read unit.
 */
export async function hasSalesTotals(table: Table, { orders: { rank } }: OrderedList): Promise<boolean> {
  const [newestYear] = await table.query({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": rank.dayIndexPartition },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 1,
  });
  return !newestYear || newestYear.digest !== undefined;
}
