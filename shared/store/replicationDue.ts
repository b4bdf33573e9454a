import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type RecordKind, recordKinds } from "../api/kinds.ts";
import { posTypes } from "../api/pos/posTypes.ts";
import { type Condition, type Item, type Table, tryConditionalWrite, unchanged } from "./client.ts";
import type { Crb } from "./crb.ts";
import { parseReplicationDueKey, replicationDueKey, replicationDuePartition } from "./keys/replication.ts";
import type { IndexName } from "./schema.ts";

// When the replication of each kind of records of each CRB is due: an item for each as long as the CRB is connected, all
// in one partition, in which the index `byRank` sorts them by that time. So the planner reads what is due and nothing
// else. The partition takes 1,000 writes a second, of which a turn costs three.

const index: IndexName = "byRank";

/** One kind of a CRB's records, and when its replication is due. */
export interface ReplicationDue {
  crbId: string;
  kind: RecordKind;
  /** ISO 8601 UTC */
  due: string;
}

/** A connection asks for its first replication itself; what came of that is looked after so many milliseconds later. */
const firstTurn = 60_000;

/** Whether a CRB's POS is one that is asked: a connected one, unlike that of a CRB whose files are uploaded. */
function isAsked(crb: Crb | undefined): crb is Crb {
  return crb?.connection != null && Object.hasOwn(posTypes, crb.connection.posType);
}

/**
 * What keeps the items when a CRB comes, changes or goes, for its transaction.
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
  // By another clock the business has other local days: everything is read again soon.
  const isElsewhen = before?.record.timezone !== after?.record.timezone;
  if (isAsked(after) && (isElsewhen || !isAsked(before))) return firstReplicationWrites(table, after.record.id, now);
  if (isAsked(before) && !isAsked(after)) {
    return recordKinds.map((kind) => table.deleteWrite(replicationDueKey(before.record.id, kind)));
  }
  return [];
}

/** What sets the first turns of a connection that was made or changed, for its transaction. */
export function firstReplicationWrites(table: Table, crbId: string, now: Date): TransactWriteItem[] {
  const rank = new Date(now.getTime() + firstTurn).toISOString();
  return recordKinds.map((kind) => table.putWrite({ ...replicationDueKey(crbId, kind), rank }));
}

/** What is due at an instant, longest due first; `most` at most. */
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

/** Every kind of records of every CRB that is replicated; for programs, since it reads them all. */
export async function readAllDue(table: Table): Promise<ReplicationDue[]> {
  return (await table.queryPartition(replicationDuePartition, { consistent: true })).map(toDue);
}

/** Sets when something that was read is due next, unless that was changed since. */
export async function moveDue(table: Table, { crbId, kind, due }: ReplicationDue, next: Date): Promise<void> {
  await setDue(table, crbId, kind, next, unchanged("rank", due));
}

/** Sets when something is due that would be due later; what is not due at all stays so. */
export async function advanceReplication(table: Table, crbId: string, kind: RecordKind, next: Date): Promise<void> {
  const later = { expression: "#rank > :next", names: { "#rank": "rank" }, values: { ":next": next.toISOString() } };
  await setDue(table, crbId, kind, next, later);
}

/** Takes away what was read and belongs to no connection any more, unless it was changed since. */
export async function dropDue(table: Table, { crbId, kind, due }: ReplicationDue): Promise<void> {
  await tryConditionalWrite(table.delete(replicationDueKey(crbId, kind), unchanged("rank", due)));
}

async function setDue(table: Table, crbId: string, kind: RecordKind, next: Date, condition: Condition): Promise<void> {
  await tryConditionalWrite(table.update(replicationDueKey(crbId, kind), { rank: next.toISOString() }, condition));
}

function toDue({ sk, rank }: Item): ReplicationDue {
  return { ...parseReplicationDueKey(sk), due: rank as string };
}
