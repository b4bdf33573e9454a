import { ServiceError } from "../../api/errors.ts";
import type { RecordKind } from "../../api/kinds.ts";
import type { Table } from "../../store/client.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import type { Clock } from "../../time/clock.ts";
import { acquireLease } from "./acquireLease.ts";
import { ReplicationLease } from "./replicationLease.ts";

const patienceMs = 90_000;

/**
 * Does something while no replication of a kind runs; waits for one that does, and does it again after losing its turn.
 *
 * @param options.isPurge what is to be done is the purge of the CRB, or a part of it; all else ends when that begins
 * @throws ServiceError "unavailable" when a replication does not give way for a minute and a half; "notFound" when the CRB
 *   is not stored, or is being purged
 */
export async function withReplicationLease<Result>(
  table: Table,
  crbId: string,
  kind: RecordKind,
  clock: Clock,
  work: (lease: ReplicationLease) => Promise<Result>,
  { isPurge = false } = {},
): Promise<Result> {
  const deadlineMs = clock.now().getTime() + patienceMs;
  for (;;) {
    const done = await tryWithReplicationLease(table, crbId, kind, clock, work, { isPurge });
    if (done) return done.result;
    if (clock.now().getTime() > deadlineMs) throw new ServiceError("unavailable");
    await clock.sleep(1_000);
  }
}

/** The same, but at once or not at all: undefined where a replication runs, or has taken the turn. */
export async function tryWithReplicationLease<Result>(
  table: Table,
  crbId: string,
  kind: RecordKind,
  clock: Clock,
  work: (lease: ReplicationLease) => Promise<Result>,
  { isPurge = false } = {},
): Promise<{ result: Result } | undefined> {
  const lease = await acquireLease(table, crbId, kind, clock, { isMaintenance: true, isCrbRequired: !isPurge });
  if (!(lease instanceof ReplicationLease)) return undefined;
  const endRenewal = lease.keepRenewed();
  try {
    return { result: await work(lease) };
  } catch (error) {
    if (error instanceof LeaseLostError) return undefined;
    throw error;
  } finally {
    endRenewal();
    // Whoever has taken it over needs no telling, and otherwise it ends by itself.
    await lease.release().catch(() => {});
  }
}

/** `underLease` for the purge of a CRB, while no replication of any of some kinds runs. */
export function withReplicationLeases<Result>(
  table: Table,
  crbId: string,
  [kind, ...others]: readonly RecordKind[],
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!kind) return work();
  const next = () => withReplicationLeases(table, crbId, others, clock, work);
  return withReplicationLease(table, crbId, kind, clock, next, { isPurge: true });
}
