import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type RecordKind, recordKinds } from "../api/kinds.ts";
import { posTypes } from "../api/pos/posTypes.ts";
import { type Condition, type Item, type Table, tryConditionalWrite } from "./client.ts";
import type { Crb } from "./crb.ts";
import { dueShards, replicationDueKey, replicationDuePartition } from "./keys/replication.ts";

// While a CRB is connected, one item has the due times of all kinds of its records. The index `byRank` sorts the items of
// each shard by the earliest of these times, so the planner reads only due items.

/** The time at which the replication of each kind of a CRB's records is due, ISO 8601 UTC. */
export type DueTimes = Readonly<Record<RecordKind, string>>;

export interface ReplicationDue {
  crbId: string;
  times: DueTimes;
}

/** Milliseconds from the connection of a CRB to its first due times. The connection itself requests the first run. */
const firstTurn = 60_000;

/** Whether the service reads a CRB's records from a POS. For CRBs that upload files, the service reads no POS. */
function isRequested(crb: Crb | undefined): crb is Crb {
  return crb?.connection != null && Object.hasOwn(posTypes, crb.connection.posType);
}

/**
 * The writes that update a CRB's due times, for the transaction that creates or changes a CRB, or ends its association.
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
    return [firstReplicationWrite(table, after.record.id, now)];
  if (isRequested(before) && !isRequested(after)) return [table.deleteWrite(replicationDueKey(before.record.id))];
  return [];
}

/** The first due times, for the transaction that connects a CRB, or changes its connection or time zone. */
export function firstReplicationWrite(table: Table, crbId: string, now: Date): TransactWriteItem {
  const first = new Date(now.getTime() + firstTurn).toISOString();
  return table.putWrite({ ...replicationDueKey(crbId), ...itemOf(timesOf(() => first)) });
}

/** Returns up to `most` CRBs with a replication that is due at `now`, earliest due time first. */
export async function readDue(table: Table, now: Date, most: number): Promise<ReplicationDue[]> {
  const shards = dueShards.map((shard) =>
    table.queryPartition(replicationDuePartition(shard), { index: "byRank", to: now.toISOString(), limit: most }),
  );
  const due = (await Promise.all(shards)).flat();
  return due
    .sort((a, b) => ((a.rank as string) < (b.rank as string) ? -1 : 1))
    .slice(0, most)
    .map(toDue);
}

/** Returns all due times. Only for the operator's programs, because it reads whole partitions. */
export async function readAllDue(table: Table): Promise<ReplicationDue[]> {
  const shards = dueShards.map((shard) => table.queryPartition(replicationDuePartition(shard), { consistent: true }));
  return (await Promise.all(shards)).flat().map(toDue);
}

/**
 * Sets the next due times of some kinds, unless a due time of the CRB has changed since it was read.
 *
 * @param isLate whether the sales are late, for `countLate`; null if the CRB does not count, undefined to keep this
 */
export async function moveDue(
  table: Table,
  { crbId, times }: ReplicationDue,
  next: Partial<DueTimes>,
  isLate?: boolean | null,
): Promise<void> {
  const attributes = { ...itemOf({ ...times, ...next }), ...(isLate !== undefined && { late: isLate }) };
  await tryConditionalWrite(table.update(replicationDueKey(crbId), attributes, asRead(times)));
}

/** Counts the CRBs whose sales are late, and all that count, from all due times: 40 read units for 1,000 CRBs. */
export async function countLate(table: Table): Promise<{ late: number; all: number }> {
  const shards = dueShards.map((shard) => table.queryPartition(replicationDuePartition(shard)));
  const counted = (await Promise.all(shards)).flat().filter(({ late }) => typeof late === "boolean");
  return { late: counted.filter(({ late }) => late).length, all: counted.length };
}

/** Moves a due time to `next` if `next` is earlier. Does not create a due time. */
export async function advanceReplication(table: Table, crbId: string, kind: RecordKind, next: Date): Promise<void> {
  const due = next.toISOString();
  const advance = (...attributes: string[]) =>
    tryConditionalWrite(
      table.update(replicationDueKey(crbId), Object.fromEntries(attributes.map((name) => [name, due])), {
        expression: attributes.map((name) => `#${name} > :due`).join(" AND "),
        names: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
        values: { ":due": due },
      }),
    );
  // If the planner moves `rank` between the two writes, the kind runs with the next kind of the CRB.
  if (!(await advance(kind, "rank"))) await advance(kind);
}

/** Deletes the due times of a CRB that is no longer connected, unless one has changed since it was read. */
export async function dropDue(table: Table, { crbId, times }: ReplicationDue): Promise<void> {
  await tryConditionalWrite(table.delete(replicationDueKey(crbId), asRead(times)));
}

const timesOf = (timeOf: (kind: RecordKind) => string): DueTimes =>
  Object.fromEntries(recordKinds.map((kind) => [kind, timeOf(kind)])) as DueTimes;

export const earliest = (times: DueTimes): string => Object.values(times).sort()[0] as string;

/** The attributes of an item: the due times, and as `rank` the earliest of them. */
const itemOf = (times: DueTimes) => ({ ...times, rank: earliest(times) });

const toDue = (item: Item): ReplicationDue => ({ crbId: item.sk, times: timesOf((kind) => item[kind] as string) });

/** The condition that no due time has changed. */
const asRead = (times: DueTimes): Condition => ({
  expression: recordKinds.map((_, i) => `#kind${i} = :due${i}`).join(" AND "),
  names: Object.fromEntries(recordKinds.map((kind, i) => [`#kind${i}`, kind])),
  values: Object.fromEntries(recordKinds.map((kind, i) => [`:due${i}`, times[kind]])),
});
