import { ServiceError } from "../../api/errors.ts";
import type { RecordKind } from "../../api/kinds.ts";
import {
  type Connection,
  type Connector,
  PosError,
  type PosFailure,
  type RejectedPosRecord,
} from "../../pos/connector.ts";
import type { Table } from "../../store/client.ts";
import { recordList } from "../../store/keys/orderedLists.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { acquireLease, type LeaseDenial } from "./acquireLease.ts";
import { tryAnnounceChanges } from "./announceChanges.ts";
import { computePosRetryMs } from "./computePosRetryMs.ts";
import { type PullProgress, pullRecords } from "./pullRecords.ts";
import { replicatedKinds } from "./replicatedKinds.ts";
import { ReplicationLease } from "./replicationLease.ts";
import type { Counts, Unconfirmed } from "./replicationState.ts";
import { computeCutOff } from "./runContext.ts";
import type { SeenPositions } from "./seenPositions.ts";

export interface ReplicateOptions {
  /** when the run stops, to be continued by another call; if absent, the run continues to its end */
  deadline?: Date;
  /** see `LeaseOptions`; if absent, neither the pause after a failure nor another run's success prevents the run */
  plannedAt?: string | undefined;
  /**
   * returns whether the connection is still the one that the caller read. It is called once after the lease is acquired,
   * because a change of the connection revokes only leases that exist at that time
   */
  isCurrent?: () => Promise<boolean>;
  /**
   * read everything from the beginning, compare it with the stored records instead of their fingerprints, and at the end drop the
   * rejected records of earlier runs
   */
  isFullRead?: boolean;
  /** called after each written page, with the counts of the run and the rejected rows of the page */
  onPage?: (counts: Counts, rejected: readonly RejectedPosRecord[]) => void;
  clock?: Clock;
  /** segment size of the list of records; tests use small segments */
  segmentSize?: number;
}

/**
 * How a run ended.
 *
 * - `finished`: the table has the records that the POS had when the run started, unless the result is `unconfirmed` and must
 *   wait.
 * - `unfinished`: the deadline came before the end of the run.
 * - `failed`: the POS could not be read. `attempts` runs in a row have failed, the first at `since`. Planned runs wait until
 *   `retryAt`.
 * - `held`: another worker has the lease; nothing was done.
 * - `lost`: another worker took over the lease, or the connection changed; this worker stopped.
 * - `early`, of planned runs only: the pause after a failure has not ended; nothing was done.
 * - `superseded`, of planned runs only: a later run has succeeded; nothing was done.
 */
export type ReplicationResult =
  | ({ outcome: "finished"; unconfirmed?: Unconfirmed } & Counts)
  | ({ outcome: "unfinished" } & Counts)
  | { outcome: "failed"; failure: PosFailure; code: string | undefined; retryAt: Date; attempts: number; since: Date }
  | { outcome: "held"; until: Date }
  | { outcome: "early"; until: Date; error: string | null; attempts: number; since: Date }
  | { outcome: "superseded" | "lost" };

/**
 * Replicates one kind of a CRB's records from its POS into the table, under a lease. The worker can be killed at any point:
 * writes are idempotent, and the next call continues after the last saved page. If an inventory run loses its lease,
 * `updateDerivedLists` finishes its work.
 *
 * @throws ServiceError "unavailable" if the table cannot be reached. If possible, the lease is released first
 */
export async function replicate<Kind extends RecordKind>(
  table: Table,
  connection: Connection,
  connector: Connector,
  kind: Kind,
  options: ReplicateOptions = {},
): Promise<ReplicationResult> {
  const needsSeen = replicatedKinds[kind].findVanished !== undefined;
  const { plannedAt, isFullRead = false, clock = systemClock, deadline, onPage, segmentSize } = options;
  const lease = await acquireLease(table, connection.crbId, kind, clock, {
    needsSeen,
    plannedAt,
    isFullRead,
    timezone: connection.timezone,
  });
  if (!(lease instanceof ReplicationLease)) return withoutLease(lease);
  const endRenewal = lease.keepRenewed();
  const counts = { ...lease.counts };
  let seen: SeenPositions | undefined;
  let progress: PullProgress | undefined;
  let isAnnounced = lease.isCaughtUp;
  try {
    // Announce changes that a killed worker has stored.
    isAnnounced ||= await tryAnnounceChanges(table, connection.crbId, kind, clock, { waitsForRun: true });
    seen = needsSeen ? await lease.loadSeen() : undefined;
    if (options.isCurrent && !(await options.isCurrent())) {
      await lease.release(seen, counts);
      return { outcome: "lost" };
    }
    const context = { table, connection, fence: lease.fence, clock, deadline, cutOff: computeCutOff(deadline) };
    progress = { lease, counts, seen, onPage, segmentSize, isFullRead, isAnnounced, hasWritten: false };
    if (kind === "sale") {
      const { recheckSales } = await import("./recheckSales.ts");
      await recheckSales(context, recordList(connection.crbId, "sale", segmentSize), lease, () => {
        (progress as PullProgress).hasWritten = true;
      });
    }
    const unconfirmed = await pullRecords(context, connector, kind, progress);
    return { outcome: "finished", ...counts, ...(unconfirmed && { unconfirmed }) };
  } catch (error) {
    if (error instanceof LeaseLostError) return { outcome: "lost" };
    // Await the release of the lease, so that `finally` announces the changes after it.
    if (error instanceof OutOfTimeError) return await handOver(lease, seen, counts);
    const pause = (attempts: number) => (error instanceof PosError ? computePosRetryMs(error, attempts) : null);
    const { retryAt, attempts, since } = await lease
      .fail(failureCode(error), seen, pause, counts)
      // The table cannot be reached, or another worker has the lease. In both cases the failure cannot be recorded.
      .catch(() => ({ retryAt: null, attempts: 0, since: null }));
    if (!(error instanceof PosError && retryAt)) throw error;
    return { outcome: "failed", failure: error.failure, code: error.code, retryAt, attempts, since };
  } finally {
    endRenewal();
    if (!isAnnounced || progress?.hasWritten) {
      await tryAnnounceChanges(table, connection.crbId, kind, clock, { waitsForRun: true });
    }
  }
}

/** Releases the lease, so that the next time slice continues the run. */
async function handOver(
  lease: ReplicationLease,
  seen: SeenPositions | undefined,
  counts: Counts,
): Promise<ReplicationResult> {
  try {
    await lease.release(seen, counts);
    return { outcome: "unfinished", ...counts };
  } catch (error) {
    // Another worker has the lease and continues the run.
    if (error instanceof LeaseLostError) return { outcome: "lost" };
    throw error;
  }
}

function withoutLease(reason: LeaseDenial): ReplicationResult {
  if ("heldUntil" in reason) return { outcome: "held", until: reason.heldUntil };
  if ("notBefore" in reason) {
    const { notBefore: until, ...failure } = reason;
    return { outcome: "early", until, ...failure };
  }
  return { outcome: "superseded" };
}

/** The code of a failure. Messages are not stored, since they can contain personal values. */
export function failureCode(error: unknown): string {
  if (error instanceof PosError) {
    return error.failure;
  }
  return error instanceof ServiceError ? error.kind : "unexpected";
}
