import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type RecordKind, recordKinds } from "../api/kinds.ts";
import { posTypes } from "../api/pos/posTypes.ts";
import { type Condition, type Item, type Table, tryConditionalWrite, unchanged } from "./client.ts";
import type { Crb } from "./crb.ts";
import { parseReplicationDueKey, replicationDueKey, replicationDuePartition } from "./keys/replication.ts";
import type { IndexName } from "./schema.ts";

// The due time of the replication of each kind of each CRB's records: one item each while the CRB is connected. All are
// in one partition, which the index `byRank` sorts by time, so the planner reads only due items. The partition takes
// 1,000 writes a second; each change of a due time takes three.

const index: IndexName = "byRank";

/** A kind of a CRB's records, and when its replication is due. */
export interface ReplicationDue {
  crbId: string;
  kind: RecordKind;
  /** ISO 8601 UTC */
  due: string;
}

/**
 * Milliseconds after a connection until the planner checks its first replication, which the connection itself requests.
 */
const firstTurn = 60_000;

/** Whether the service reads a CRB's POS. CRBs that upload files have no such POS. */
function isAsked(crb: Crb | undefined): crb is Crb {
  return crb?.connection != null && Object.hasOwn(posTypes, crb.connection.posType);
}

/**
 * The writes that update the due times when a CRB is created, changed or ended, for its transaction.
 *
 * @param before the CRB as stored; undefined for a new one
 * @param after undefined for one whose association ends
 */
export function replicationDueWrites(
  table: Table,
  before: Crb | undefined,
  after: Crb | undefined,
  now: Date,
): TransactWriteItem[] {
  // Another time zone changes the local days of all records, so everything is read again soon.
  const isElsewhen = before?.record.timezone !== after?.record.timezone;
  if (isAsked(after) && (isElsewhen || !isAsked(before))) return firstReplicationWrites(table, after.record.id, now);
  if (isAsked(before) && !isAsked(after)) {
    return recordKinds.map((kind) => table.deleteWrite(replicationDueKey(before.record.id, kind)));
  }
  return [];
}

/** The writes that set the first due times of a new or changed connection, for its transaction. */
export function firstReplicationWrites(table: Table, crbId: string, now: Date): TransactWriteItem[] {
  const rank = new Date(now.getTime() + firstTurn).toISOString();
  return recordKinds.map((kind) => table.putWrite({ ...replicationDueKey(crbId, kind), rank }));
}

/** The replications that are due at `now`, longest due first; `most` at most. */
export async function readDue(table: Table, now: Date, most: number): Promise<ReplicationDue[]> {
  const items = await table.query({
    IndexName: index,
    KeyConditionExpression: "pk = :pk AND #rank <= :now",
    ExpressionAttributeNames: { "#rank": "rank" },
    ExpressionAttributeValues: { ":pk": replicationDuePartition, ":now": now.toISOString() },
    Limit: most,
  });
  return items.map(toDue);
}

/** All due times. For programs only, because it reads the whole partition. */
export async function readAllDue(table: Table): Promise<ReplicationDue[]> {
  return (await table.queryPartition(replicationDuePartition, { consistent: true })).map(toDue);
}

/** Sets the next due time, unless the due time has changed since it was read. */
export async function moveDue(table: Table, { crbId, kind, due }: ReplicationDue, next: Date): Promise<void> {
  await setDue(table, crbId, kind, next, unchanged("rank", due));
}

/** Moves a due time to `next` if `next` is earlier. Creates no due time. */
export async function advanceReplication(table: Table, crbId: string, kind: RecordKind, next: Date): Promise<void> {
  const later = { expression: "#rank > :next", names: { "#rank": "rank" }, values: { ":next": next.toISOString() } };
  await setDue(table, crbId, kind, next, later);
}

/** Deletes a due time that belongs to no connection any more, unless it has changed since it was read. */
export async function dropDue(table: Table, { crbId, kind, due }: ReplicationDue): Promise<void> {
  await tryConditionalWrite(table.delete(replicationDueKey(crbId, kind), unchanged("rank", due)));
}

async function setDue(table: Table, crbId: string, kind: RecordKind, next: Date, condition: Condition): Promise<void> {
  await tryConditionalWrite(table.update(replicationDueKey(crbId, kind), { rank: next.toISOString() }, condition));
}

function toDue({ sk, rank }: Item): ReplicationDue {
  return { ...parseReplicationDueKey(sk), due: rank as string };
}
