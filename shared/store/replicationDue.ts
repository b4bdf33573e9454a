import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type RecordKind, recordKinds } from "../api/kinds.ts";
import { posTypes } from "../api/pos/posTypes.ts";
import { type Item, type Table, tryConditionalWrite, unchanged } from "./client.ts";
import type { Crb } from "./crb.ts";
import { dueShards, parseReplicationDueKey, replicationDueKey, replicationDuePartition } from "./keys/replication.ts";
import type { IndexName } from "./schema.ts";

// The due times of replications. While a CRB is connected, it has one item for each kind of its records. The index
// `byRank` sorts the items of each shard by due time, so the planner reads only due items.

const index: IndexName = "byRank";

/** A kind of a CRB's records, and the time at which its replication is due. */
export interface ReplicationDue {
  crbId: string;
  kind: RecordKind;
  /** ISO 8601 UTC */
  due: string;
}

/**
 * Milliseconds from the connection of a CRB to its first due times. The connection itself already requests the first
 * replication, so the planner need not hurry.
 */
const firstTurn = 60_000;

/** Whether the service reads a CRB's records from a POS. For CRBs that upload files, the service reads no POS. */
function isRequested(crb: Crb | undefined): crb is Crb {
  return crb?.connection != null && Object.hasOwn(posTypes, crb.connection.posType);
}

/**
 * The writes that update a CRB's due times. They belong to the transaction in which the CRB is created or changed, or
 * its association is ended.
 *
 * @param before the CRB as stored; undefined for a new CRB
 * @param after the CRB after the change; undefined if its association ends
 */
export function replicationDueWrites(
  table: Table,
  before: Crb | undefined,
  after: Crb | undefined,
  now: Date,
): TransactWriteItem[] {
  // A new time zone changes the local days of all records, so all kinds become due soon.
  const isElsewhen = before?.record.timezone !== after?.record.timezone;
  if (isRequested(after) && (isElsewhen || !isRequested(before)))
    return firstReplicationWrites(table, after.record.id, now);
  if (isRequested(before) && !isRequested(after)) {
    return recordKinds.map((kind) => table.deleteWrite(replicationDueKey(before.record.id, kind)));
  }
  return [];
}

/**
 * The writes that set the first due times after a CRB was connected, or its connection or time zone changed. The
 * transaction that stores the change must include these writes.
 */
export function firstReplicationWrites(table: Table, crbId: string, now: Date): TransactWriteItem[] {
  const rank = new Date(now.getTime() + firstTurn).toISOString();
  return recordKinds.map((kind) => table.putWrite({ ...replicationDueKey(crbId, kind), rank }));
}

/** Returns up to `most` replications that are due at `now`, earliest due time first. */
export async function readDue(table: Table, now: Date, most: number): Promise<ReplicationDue[]> {
  const shards = dueShards.map((shard) =>
    table.query({
      IndexName: index,
      KeyConditionExpression: "pk = :pk AND #rank <= :now",
      ExpressionAttributeNames: { "#rank": "rank" },
      ExpressionAttributeValues: { ":pk": replicationDuePartition(shard), ":now": now.toISOString() },
      Limit: most,
    }),
  );
  const due = (await Promise.all(shards)).flat().map(toDue);
  return due.sort((a, b) => (a.due < b.due ? -1 : 1)).slice(0, most);
}

/** Returns all due times. Only for the operator's programs, because it reads whole partitions. */
export async function readAllDue(table: Table): Promise<ReplicationDue[]> {
  const shards = dueShards.map((shard) => table.queryPartition(replicationDuePartition(shard), { consistent: true }));
  return (await Promise.all(shards)).flat().map(toDue);
}

/**
 * Sets the next due time, unless the due time has changed since it was read.
 *
 * @param isLate whether the records are late, for `countLate`; null if the CRB does not count
 */
export async function moveDue(
  table: Table,
  { crbId, kind, due }: ReplicationDue,
  next: Date,
  isLate: boolean | null = null,
): Promise<void> {
  const attributes = { rank: next.toISOString(), ...(kind === "sale" && { late: isLate }) };
  await tryConditionalWrite(table.update(replicationDueKey(crbId, kind), attributes, unchanged("rank", due)));
}

/**
 * Counts the CRBs whose sales are late, and all CRBs that count. Reads all due times, which take 120 bytes each: 75 read units
 * for 1,000 CRBs.
 */
export async function countLate(table: Table): Promise<{ late: number; all: number }> {
  const shards = dueShards.map((shard) => table.queryPartition(replicationDuePartition(shard)));
  const counted = (await Promise.all(shards)).flat().filter(({ late }) => typeof late === "boolean");
  return { late: counted.filter(({ late }) => late).length, all: counted.length };
}

/** Moves a due time to `next` if `next` is earlier. Does not create a due time. */
export async function advanceReplication(table: Table, crbId: string, kind: RecordKind, next: Date): Promise<void> {
  const later = { expression: "#rank > :next", names: { "#rank": "rank" }, values: { ":next": next.toISOString() } };
  await tryConditionalWrite(table.update(replicationDueKey(crbId, kind), { rank: next.toISOString() }, later));
}

/** Deletes a due time, unless it has changed since it was read. For due times whose CRB is no longer connected. */
export async function dropDue(table: Table, { crbId, kind, due }: ReplicationDue): Promise<void> {
  await tryConditionalWrite(table.delete(replicationDueKey(crbId, kind), unchanged("rank", due)));
}

function toDue({ sk, rank }: Item): ReplicationDue {
  return { ...parseReplicationDueKey(sk), due: rank as string };
}
