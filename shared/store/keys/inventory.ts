import type { Key } from "./key.ts";

/**
 * The outbox of a CRB's inventory. Each item lists the records that one transaction wrote and whose changes are not yet
 * in the inventory of the locations. The range key of an item is the first position that the transaction allocated.
 */
export function outboxPartition(crbId: string): string {
  return `CRB#${crbId}#INVENTORY#OUTBOX`;
}

/**
 * Marks a location that has inventory. The marks have their own partition, because a mark may exist before the
 * location's record.
 */
export function stockedLocationKey(crbId: string, locationId: string): Key {
  return { pk: `CRB#${crbId}#INVENTORY#LOCATIONS`, sk: locationId };
}

/** The partition of the daily snapshots of a location's inventory. Their items name files in the bucket. */
export function snapshotPartition(crbId: string, locationId: string): string {
  return `CRB#${crbId}#LOCATION#${locationId}#CLOSING`;
}

/** The daily snapshot of a local day (yyyy-MM-dd), in a `snapshotPartition`. */
export function dailySnapshotKey(pk: string, day: string): Key {
  return { pk, sk: `DAY#${day}` };
}

/** The local day in the range key of a daily snapshot. */
export function dayOfDailySnapshot(sk: string): string {
  return sk.slice("DAY#".length);
}

/** The local day on which the current inventory began, see `inventoryDay`. */
export function inventoryDayKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "INVENTORY_DAY" };
}
