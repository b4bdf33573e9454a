import { type RecordKind, recordKinds } from "../../../api/kinds.ts";
import type { RawItem, Table } from "../../../store/client.ts";
import { indexingOptions } from "../../../store/indexingOptions.ts";
import { entryKey } from "../../../store/keys/indexEntries.ts";
import { outboxPartition, snapshotPartition, stockedLocationKey } from "../../../store/keys/inventory.ts";
import {
  fingerprintsPartition,
  locationInventoryList,
  type OrderedList,
  recordList,
} from "../../../store/keys/orderedLists.ts";
import { keyOf, type RemovalListener, removePartition } from "../../../store/removePartition.ts";
import { stockedLocations } from "../../../store/stockedLocations.ts";

/**
 * Removes all replicated records of a CRB. Also removes the items that can only be found from the records: the lists of the
 * locations, and index entries. These items are removed before the records, so that a second call after a crash still finds
 * them.
 */
export async function purgeRecords(table: Table, crbId: string, removed: RemovalListener): Promise<void> {
  for (const id of await stockedLocations(table, crbId)) await purgeLocation(table, crbId, id, removed);
  const noted = stockedLocationKey(crbId, "").pk;
  await removePartition(table, noted, (count) => removed("locations with inventory", count));
  for (const kind of recordKinds) {
    const list = recordList(crbId, kind);
    await removeList(table, list, `${kind} records`, removed, {
      attributes: ["body"],
      before: async (items) => {
        const entries = items.flatMap((item) => entriesOf(list, kind, item));
        await table.batchDelete(entries);
        removed("index entries", entries.length);
      },
    });
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
  options?: Parameters<typeof removePartition>[3],
): Promise<void> {
  await removePartition(table, list.pk, (count) => removed(what, count), options);
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

function entriesOf(list: OrderedList, kind: RecordKind, item: RawItem) {
  const record = JSON.parse(item.body?.S ?? "{}");
  const terms = indexingOptions[kind].extractIndexedFields?.(record) ?? [];
  return terms.map((term) => entryKey(list, term, keyOf(item).sk));
}
