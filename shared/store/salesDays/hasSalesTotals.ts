import type { Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";

/**
 * Whether the stored totals of sales days cover all sales of a list. A list that is older than totals has neither totals nor a
 * digest until it is rebuilt. Takes one read unit.
 */
export async function hasSalesTotals(table: Table, { orders: { rank } }: OrderedList): Promise<boolean> {
  const newest = { consistent: true, newestFirst: true, limit: 1 };
  const [newestYear] = await table.queryPartition(rank.dayIndexPartition, newest);
  return !newestYear || newestYear.digest !== undefined;
}
