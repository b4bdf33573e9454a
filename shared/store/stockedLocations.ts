import type { Table } from "./client.ts";
import { stockedLocationKey } from "./keys/inventory.ts";

/** Reads the ids of the locations that have an inventory list, or are about to get one. */
export async function stockedLocations(table: Table, crbId: string): Promise<Set<string>> {
  const items = await table.queryPartition(stockedLocationKey(crbId, "").pk, { consistent: true });
  return new Set(items.map(({ sk }) => sk));
}

/** Records that a location has inventory, before its list gets its first record: others get no daily snapshots. */
export const recordStockedLocation = (table: Table, crbId: string, locationId: string): Promise<void> =>
  table.put({ ...stockedLocationKey(crbId, locationId) });
