import { type Key, key, ofCrb } from "./key.ts";

/**
 * The outbox of a CRB's inventory. Each item lists the records of one transaction whose changes are not yet in the inventory of
 * the locations. The range key is the first position that the transaction allocated.
 */
export const outboxPartition = (crbId: string): string => ofCrb(crbId, "INVENTORY#OUTBOX");

/** Marks a location that has inventory. A mark may exist before the location's record. */
export const stockedLocationKey = (crbId: string, locationId: string): Key =>
  key(ofCrb(crbId, "INVENTORY#LOCATIONS"), locationId);

/** The daily snapshots of a location's inventory. Their items name files in the bucket. */
export const snapshotPartition = (crbId: string, locationId: string): string =>
  ofCrb(crbId, `LOCATION#${locationId}#CLOSING`);

/** The daily snapshot of a local day, in a `snapshotPartition`. */
export const dailySnapshotKey = (pk: string, day: string): Key => key(pk, "DAY", day);

/** The local day on which the current inventory began, see `inventoryDay`. */
export const inventoryDayKey = (crbId: string): Key => key(`CRB#${crbId}`, "INVENTORY_DAY");
