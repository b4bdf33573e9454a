import type { RecordKind } from "../../api/kinds.ts";
import type { Key } from "./key.ts";

/** A customer who was erased and whom replication leaves out. The id comes last, so that a query finds all of them. */
export function erasedKey(crbId: string, customerId: string): Key {
  return { pk: `CRB#${crbId}#ERASED`, sk: customerId };
}

/**
 * The position up to which changes of a kind were announced. It is a separate item, so that its writes need no fence.
 */
export function announcedKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `ANNOUNCED#${kind.toUpperCase()}` };
}

/** The progress of a rebuild of all lists (`operator -- lists rebuild`). */
export const listRebuildKey: Key = { pk: "LIST_REBUILD", sk: "LIST_REBUILD" };

/**
 * The fence of replicating one kind of a CRB's records. It is a small item, because every transaction of a run checks
 * it.
 */
export function fenceKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `FENCE#${kind.toUpperCase()}` };
}

/** Lease, position and counts of the replication of one kind of a CRB's records. */
export function replicationKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: kind.toUpperCase() };
}

/** A part of the positions that the current pull of one kind of a CRB's records has seen. */
export function seenPositionsKey(crbId: string, kind: RecordKind, part: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `SEEN#${kind.toUpperCase()}#${part}` };
}

/** The rejected records of one kind of a CRB; with `part`, a part of their full list of names. */
export function rejectedRecordsKey(crbId: string, kind: RecordKind, part?: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `REJECTED#${kind.toUpperCase()}${part === undefined ? "" : `#${part}`}` };
}

/** The latest credential outcomes of the CRBs with a POS type. */
export function credentialOutcomesKey(posType: string): Key {
  return { pk: `POS_TYPE#${posType}`, sk: "LET_IN" };
}

/** The due time of the replication of one kind of a CRB's records. */
export function replicationDueKey(crbId: string, kind: RecordKind): Key {
  return { pk: replicationDuePartition, sk: `${crbId}#${kind.toUpperCase()}` };
}

export const replicationDuePartition = "REPLICATION_DUE";

/** The CRB and kind in a range key of `replicationDueKey`. */
export function parseReplicationDueKey(sk: string): { crbId: string; kind: RecordKind } {
  const [crbId = "", kind = ""] = sk.split("#");
  return { crbId, kind: kind.toLowerCase() as RecordKind };
}
