import { recordKinds } from "../../../api/kinds.ts";
import type { Table } from "../../../store/client.ts";
import { indexingOptions } from "../../../store/indexingOptions.ts";
import { stockedLocations } from "../../../store/inventory.ts";
import { entryPartitions } from "../../../store/keys/indexEntries.ts";
import { outboxPartition, snapshotPartition, stockedLocationKey } from "../../../store/keys/inventory.ts";
import {
  fingerprintsPartition,
  locationInventoryList,
  type OrderedList,
  recordList,
} from "../../../store/keys/orderedLists.ts";
import { type RemovalListener, removePartition } from "../../../store/removePartition.ts";

/**
 * Removes all replicated records of a CRB, with their lists. The lists of the locations are removed before the item that names
 * the locations, so that a second call after a crash still finds them.
 */
export async function purgeRecords(table: Table, crbId: string, removed: RemovalListener): Promise<void> {
  for (const id of await stockedLocations(table, crbId)) await purgeLocation(table, crbId, id, removed);
  const noted = stockedLocationKey(crbId, "").pk;
  await removePartition(table, noted, (count) => removed("locations with inventory", count));
  for (const kind of recordKinds) {
    const list = recordList(crbId, kind);
    for (const pk of indexingOptions[kind].extractIndexedFields ? entryPartitions(list) : []) {
      await removePartition(table, pk, (count) => removed("index entries", count));
    }
    await removeList(table, list, `${kind} records`, removed);
    await removePartition(table, fingerprintsPartition(list), (count) => removed("groups of fingerprints", count));
  }
  await removePartition(table, outboxPartition(crbId), (count) => removed("outbox items", count));
}

/** Removes an ordered list: first its records, then its day indexes and sequence numbers. */
export async function removeList(
  table: Table,
  list: OrderedList,
  what: string,
  removed: RemovalListener,
): Promise<void> {
  await removePartition(table, list.pk, (count) => removed(what, count));
  if (list.totalsPartition) {
    await removePartition(table, list.totalsPartition, (count) => removed("weeks of sales totals", count));
  }
  for (const { dayIndexPartition: dayIndex, slots } of Object.values(list.orders)) {
    for (const pk of [dayIndex, slots]) await removePartition(table, pk, (count) => removed("day indexes", count));
  }
}

async function purgeLocation(table: Table, crbId: string, locationId: string, removed: RemovalListener): Promise<void> {
  await removeList(table, locationInventoryList(crbId, locationId), "inventory by location", removed);
  await removePartition(table, snapshotPartition(crbId, locationId), (count) => removed("daily snapshots", count));
}
