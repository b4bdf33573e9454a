import type { RecordKind } from "../../api/kinds.ts";
import type { Key } from "./key.ts";

/** A customer who was erased, and whom replication leaves out from then on; the id comes last, so that all can be listed. */
export function erasedKey(crbId: string, customerId: string): Key {
  return { pk: `CRB#${crbId}#ERASED`, sk: customerId };
}

/** How far the changes of one kind of a CRB's records have been announced; an item of its own, so that it meets no fence. */
export function announcedKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `ANNOUNCED#${kind.toUpperCase()}` };
}

/** The progress of a rebuild of all lists (`operator -- lists rebuild`). */
export const listRebuildKey: Key = { pk: "LIST_REBUILD", sk: "LIST_REBUILD" };

/** The number of who may write one kind of a CRB's records; small, since every transaction of a run checks it. */
export function fenceKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `FENCE#${kind.toUpperCase()}` };
}

/** Lease, position and counts of the replication of one kind of a CRB's records. */
export function replicationKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: kind.toUpperCase() };
}

/** A part of what the pull under way of one kind of a CRB's records has seen. */
export function seenPositionsKey(crbId: string, kind: RecordKind, part: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `SEEN#${kind.toUpperCase()}#${part}` };
}

/** What the replication of one kind of a CRB's records has rejected; with a number, a part of the names of all of it. */
export function rejectedRecordsKey(crbId: string, kind: RecordKind, part?: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `REJECTED#${kind.toUpperCase()}${part === undefined ? "" : `#${part}`}` };
}

/** Whom the POS systems of a type have let in and refused last. */
export function credentialOutcomesKey(posType: string): Key {
  return { pk: `POS_TYPE#${posType}`, sk: "LET_IN" };
}

/** When the replication of one kind of a CRB's records is due. */
export function replicationDueKey(crbId: string, kind: RecordKind): Key {
  return { pk: replicationDuePartition, sk: `${crbId}#${kind.toUpperCase()}` };
}

export const replicationDuePartition = "REPLICATION_DUE";

/** The replication whose time a range key of `replicationDueKey` names. */
export function parseReplicationDueKey(sk: string): { crbId: string; kind: RecordKind } {
  const [crbId = "", kind = ""] = sk.split("#");
  return { crbId, kind: kind.toLowerCase() as RecordKind };
}
