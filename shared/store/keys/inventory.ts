import type { Key } from "./key.ts";

/**
 * The outbox of a CRB's inventory. Each item lists the records of one transaction whose changes are not yet in the inventory of
 * the locations. The range key is the first position that the transaction allocated.
 */
export const outboxPartition = (crbId: string): string => `CRB#${crbId}#INVENTORY#OUTBOX`;

/** Marks a location that has inventory. A mark may exist before the location's record. */
export const stockedLocationKey = (crbId: string, locationId: string): Key => ({
  pk: `CRB#${crbId}#INVENTORY#LOCATIONS`,
  sk: locationId,
});

/** The daily snapshots of a location's inventory. Their items name files in the bucket. */
export const snapshotPartition = (crbId: string, locationId: string): string =>
  `CRB#${crbId}#LOCATION#${locationId}#CLOSING`;

/** The daily snapshot of a local day (yyyy-MM-dd), in a `snapshotPartition`. */
export const dailySnapshotKey = (pk: string, day: string): Key => ({ pk, sk: `DAY#${day}` });

export const dayOfDailySnapshot = (sk: string): string => sk.slice("DAY#".length);

/** The local day on which the current inventory began, see `inventoryDay`. */
export const inventoryDayKey = (crbId: string): Key => ({ pk: `CRB#${crbId}`, sk: "INVENTORY_DAY" });
