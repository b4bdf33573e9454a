import type { RecordKind } from "../../api/kinds.ts";
import type { Key } from "./key.ts";

/**
 * An erased customer, whom replication must not store again. The range key is the customer's id, so that one query
 * finds all of a CRB's erased customers.
 */
export function erasedKey(crbId: string, customerId: string): Key {
  return { pk: `CRB#${crbId}#ERASED`, sk: customerId };
}

/**
 * The position in a list up to which events have announced the changes. The position has its own item, so that a worker
 * can write it without the fence.
 */
export function announcedKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `ANNOUNCED#${kind.toUpperCase()}` };
}

/** The restoration of the table (`operator -- lists restore`). */
export const restorationKey: Key = { pk: "RESTORATION", sk: "RESTORATION" };

/** Marks a CRB as closed to callers while it is restored. Every request for a CRB reads this key. */
export function restoringKey(crbId: string): Key {
  return { pk: `CRB#${crbId}#RESTORING`, sk: "RESTORING" };
}

/** The progress of a CRB that is restored. One query finds all such CRBs of a service provider. */
export function restoringOfKey(serviceProviderId: string, crbId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#RESTORING`, sk: crbId };
}

/** The progress of a rebuild of all lists (`operator -- lists rebuild`). */
export const listRebuildKey: Key = { pk: "LIST_REBUILD", sk: "LIST_REBUILD" };

/**
 * The fence of the replication of one kind of a CRB's records. The fence is a small item of its own, because every
 * transaction of a run checks it.
 */
export function fenceKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `FENCE#${kind.toUpperCase()}` };
}

/** The lease, progress and counts of the replication of one kind of a CRB's records. */
export function replicationKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: kind.toUpperCase() };
}

/**
 * One part of the set of records that the current pull of one kind has received from the POS. The item has the
 * positions of these records in their list.
 */
export function seenPositionsKey(crbId: string, kind: RecordKind, part: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `SEEN#${kind.toUpperCase()}#${part}` };
}

/**
 * The rejected records of one kind of a CRB. With `part`, the item that stores one part of the digests of all rejected
 * records.
 */
export function rejectedRecordsKey(crbId: string, kind: RecordKind, part?: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `REJECTED#${kind.toUpperCase()}${part === undefined ? "" : `#${part}`}` };
}

/** The names of means of payment in a CRB's POS, and the types that they were read as. */
export function paymentNamesKey(crbId: string): Key {
  return { pk: `REPLICATION#${crbId}`, sk: "PAYMENT_NAMES" };
}

/** The latest outcomes of the CRBs that use a POS type, and its circuit breaker. */
export function posTypeKey(posType: string): Key {
  return { pk: `POS_TYPE#${posType}`, sk: "OUTCOMES" };
}

/** The due times of the replications of a CRB. */
export function replicationDueKey(crbId: string): Key {
  return { pk: replicationDuePartition(dueShardOf(crbId)), sk: crbId };
}

/**
 * The partitions of the due times. A partition accepts 1,000 write units a second, and each change of due times takes three
 * of them.
 */
export const dueShards = [0, 1, 2, 3];

/** @param shard `*` in the pattern of all partitions */
export const replicationDuePartition = (shard: number | "*"): string => `REPLICATION_DUE#${shard}`;

/** The ids of CRBs are random, so their first digits spread them evenly. */
const dueShardOf = (crbId: string) => Number.parseInt(crbId.slice(0, 8), 16) % dueShards.length;

/**
 * The ages of records that the planner has found in an hour, of all businesses together.
 *
 * @param hour such as `2026-03-01T17`, in UTC
 */
export function freshnessKey(hour: string): Key {
  return { pk: freshnessPartition, sk: hour };
}

export const freshnessPartition = "FRESHNESS";
