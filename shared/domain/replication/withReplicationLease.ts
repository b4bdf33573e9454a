import { ServiceError } from "../../api/errors.ts";
import type { RecordKind } from "../../api/kinds.ts";
import type { Table } from "../../store/client.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import type { Clock } from "../../time/clock.ts";
import { acquireLease } from "./acquireLease.ts";
import { ReplicationLease } from "./replicationLease.ts";

const patienceMs = 90_000;

/** A replication has kept its lease for longer than other work waits for it. */
export class LeaseHeldError extends Error {
  override readonly name = "LeaseHeldError";
}

/**
 * Does work while no replication of a kind runs. It waits for a running one, and repeats the work if it loses the lease.
 *
 * @param options.isPurge the work belongs to the purge of the CRB; all other work ends when a purge begins
 * @throws ServiceError "unavailable" if a replication keeps its lease for 90 seconds; "notFound" if the CRB is not stored or
 *   is being purged
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
    if (clock.now().getTime() > deadlineMs) throw new ServiceError("unavailable", { cause: new LeaseHeldError() });
    await clock.sleep(1_000);
  }
}

/** Does work once, without waiting. Returns undefined if a replication runs or takes the lease. */
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
    // Another holder needs no release, and an unreleased lease expires.
    await lease.release().catch(() => {});
  }
}

/** `withReplicationLease` of several kinds together, for the purge of a CRB. */
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
