import type { Table } from "../client.ts";
import { stockedLocationKey } from "../keys/inventory.ts";

/** The ids of the locations that have, or are about to have, a list of their inventory. */
export async function stockedLocations(table: Table, crbId: string): Promise<Set<string>> {
  const items = await table.queryPartition(stockedLocationKey(crbId, "").pk, { consistent: true });
  return new Set(items.map(({ sk }) => sk));
}

/** To be called before the first record comes to a location's list: else its daily snapshots would be left out. */
export function recordStockedLocation(table: Table, crbId: string, locationId: string): Promise<void> {
  return table.put({ ...stockedLocationKey(crbId, locationId) });
}
