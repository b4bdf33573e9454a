import type { RecordKind } from "../../api/kinds.ts";
import { type Key, key, ofCrb, ofProvider } from "./key.ts";

/** An erased customer, whom replication must not store again. */
export const erasedKey = (crbId: string, customerId: string): Key => key(ofCrb(crbId, "ERASED"), customerId);

/** The restoration of the table (`operator -- lists restore`). */
export const restorationKey: Key = { pk: "RESTORATION", sk: "RESTORATION" };

/** Marks a CRB as closed to callers while it is restored. Every request for a CRB reads this key. */
export const restoringKey = (crbId: string): Key => key(ofCrb(crbId, "RESTORING"), "RESTORING");

/** The progress of a CRB that is restored. */
export const restoringOfKey = (spId: string, crbId: string): Key => key(ofProvider(spId, "RESTORING"), crbId);

/** The progress of a rebuild of all lists (`operator -- lists rebuild`). */
export const listRebuildKey: Key = { pk: "LIST_REBUILD", sk: "LIST_REBUILD" };

const ofReplication = (crbId: string, ...parts: string[]): Key => key(`REPLICATION#${crbId}`, ...parts);
const nameOf = (kind: RecordKind): string => kind.toUpperCase();

/** The lease, progress and counts of the replication of one kind of a CRB's records. */
export const replicationKey = (crbId: string, kind: RecordKind): Key => ofReplication(crbId, nameOf(kind));

/** The fence of a replication: a small item of its own, because every transaction of a run checks it. */
export const fenceKey = (crbId: string, kind: RecordKind): Key => ofReplication(crbId, "FENCE", nameOf(kind));

/** The position up to which events have announced the changes of a list, written without the fence. */
export const announcedKey = (crbId: string, kind: RecordKind): Key => ofReplication(crbId, "ANNOUNCED", nameOf(kind));

/** One part of the positions of the records that the current pull of one kind has received from the POS. */
export const seenPositionsKey = (crbId: string, kind: RecordKind, part: number): Key =>
  ofReplication(crbId, "SEEN", nameOf(kind), String(part));

/** The rejected records of one kind of a CRB. With `part`, one part of the digests of all of them. */
export const rejectedRecordsKey = (crbId: string, kind: RecordKind, part?: number): Key =>
  ofReplication(crbId, "REJECTED", nameOf(kind), ...(part === undefined ? [] : [String(part)]));

/** The names of means of payment in a CRB's POS, and the types that they were read as. */
export const paymentNamesKey = (crbId: string): Key => ofReplication(crbId, "PAYMENT_NAMES");

/** The latest outcomes of the CRBs that use a POS type, and its circuit breaker. */
export const posTypeKey = (posType: string): Key => key(`POS_TYPE#${posType}`, "OUTCOMES");

/** The partitions of due times: each accepts 1,000 write units a second, and each change takes three of them. */
export const dueShards = [0, 1, 2, 3];

/** @param shard `*` in the pattern of all partitions */
export const replicationDuePartition = (shard: number | "*"): string => `REPLICATION_DUE#${shard}`;

/** The due times of the replications of a CRB. The ids of CRBs are random, so their first digits spread them evenly. */
export const replicationDueKey = (crbId: string): Key =>
  key(replicationDuePartition(Number.parseInt(crbId.slice(0, 8), 16) % dueShards.length), crbId);

export const freshnessPartition = "FRESHNESS";

/** The ages of records that the planner found in a UTC hour, of all businesses. @param hour such as `2026-03-01T17` */
export const freshnessKey = (hour: string): Key => key(freshnessPartition, hour);
