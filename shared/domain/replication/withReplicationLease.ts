import { ServiceError } from "../../api/errors.ts";
import type { RecordKind } from "../../api/kinds.ts";
import type { Table } from "../../store/client.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import type { Clock } from "../../time/clock.ts";
import { acquireLease } from "./acquireLease.ts";
import { ReplicationLease } from "./replicationLease.ts";

const patienceMs = 90_000;

/** Another worker has kept the replication lease for longer than the maximum wait. */
export class LeaseHeldError extends Error {
  override readonly name = "LeaseHeldError";
}

/**
 * Does work while no replication of a kind runs. Waits until a running replication releases the lease. If the lease is lost
 * during the work, acquires it again and repeats the work.
 *
 * @param options.isPurge whether the work belongs to the purge of the CRB; other work fails once a purge has begun
 * @throws ServiceError "unavailable" if a replication keeps its lease for 90 seconds; "notFound" if the CRB is not stored or is
 *   being purged
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
    // Ignore the error: either another worker has taken over the lease, or the lease expires.
    await lease.release().catch(() => {});
  }
}

/** Does work while it holds the replication leases of several kinds, for the purge of a CRB. */
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
