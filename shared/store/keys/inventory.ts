import type { Key } from "./key.ts";

/**
 * What has been written to a CRB's inventory, and not yet to that of its locations: items that name the records of a
 * transaction, by the first rank that it handed out.
 */
export function outboxPartition(crbId: string): string {
  return `CRB#${crbId}#INVENTORY#OUTBOX`;
}

/** A location that has inventory; in a partition of its own, since it may be there before the location's record is. */
export function stockedLocationKey(crbId: string, locationId: string): Key {
  return { pk: `CRB#${crbId}#INVENTORY#LOCATIONS`, sk: locationId };
}

/** The daily snapshots of a location's inventory, and the immutable parts that they consist of. */
export function snapshotPartition(crbId: string, locationId: string): string {
  return `CRB#${crbId}#LOCATION#${locationId}#CLOSING`;
}

/** The daily snapshot of a local day (yyyy-MM-dd), in the partition of its location's. */
export function dailySnapshotKey(pk: string, day: string): Key {
  return { pk, sk: `DAY#${day}` };
}

/** The local day of a daily snapshot, by its range key. */
export function dayOfDailySnapshot(sk: string): string {
  return sk.slice("DAY#".length);
}

/** A part that daily snapshots consist of, by its name: a node names chunks, a chunk holds records. */
export function snapshotPartKey(pk: string, kind: "NODE" | "CHUNK", name: string): Key {
  return { pk, sk: `${kind}#${name}` };
}

/** The local day from which on the present inventory stands; see `keepDailySnapshots.ts`. */
export function inventoryDayKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "INVENTORY_DAY" };
}

/** The daily snapshot that is being kept, which its maker may have left to the next. */
export function snapshotProgressKey(crbId: string): Key {
  return { pk: `REPLICATION#${crbId}`, sk: "CLOSING" };
}
