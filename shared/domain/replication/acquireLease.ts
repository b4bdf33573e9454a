import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { notFound } from "../../api/errors.ts";
import type { RecordKind } from "../../api/kinds.ts";
import type { Item, Table } from "../../store/client.ts";
import { notPurged } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { fenceKey, replicationKey } from "../../store/keys/replication.ts";
import { isUnmet } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { ReplicationLease, replicationLeaseMs } from "./replicationLease.ts";
import { noCounts, type ReplicationState } from "./replicationState.ts";

/** Options of `acquireLease`. */
export interface LeaseOptions {
  /**
   * Continue an interrupted run only if its last worker stored the positions of the records that the POS has named so far (see
   * `SeenPositions`). Otherwise begin a new run.
   */
  needsSeen?: boolean;
  /** Begin a new run that reads everything, even if an interrupted run could continue. */
  isFullRead?: boolean;
  /**
   * The present time zone of the CRB. If all records were read in another one, a new run that reads everything begins. If
   * absent, the records keep their time zone.
   */
  timezone?: string;
  /**
   * When the schedule planned the run (ISO 8601 UTC). A planned run gets no lease during the pause after a failure, or if
   * another run has begun and succeeded since this time. If absent, neither rule applies.
   */
  plannedAt?: string | undefined;
  /** Acquire the lease for other work than a run. The state of the interrupted or last run stays unchanged. */
  isMaintenance?: boolean;
  /**
   * Throw if the CRB is not stored or is being purged. In those cases no purge would delete the lease that this call writes.
   */
  isCrbRequired?: boolean;
}

/** Why no lease was acquired: another worker holds the lease, or the planned run must not begin. */
export type LeaseDenial =
  | { heldUntil: Date }
  | { notBefore: Date; error: string | null; attempts: number; since: Date }
  | { succeededSince: Date };

/**
 * A run that has saved no position for this many milliseconds is not continued; a new run begins. A continued run would keep
 * the time bounds of its start, and a POS that reports only a few weeks of changes may reject such old bounds.
 */
const maxStandstillMs = 3 * 24 * 60 * 60_000;

/**
 * Acquires the lease for replicating one kind of a CRB's records. The new holder continues an interrupted run, with its start
 * time, watermark, saved position and counts, unless the run has saved nothing for three days.
 *
 * @throws ServiceError "notFound" if `isCrbRequired` is set and the CRB is not stored or is being purged
 */
export async function acquireLease(
  table: Table,
  crbId: string,
  kind: RecordKind,
  clock: Clock = systemClock,
  options: LeaseOptions = {},
): Promise<ReplicationLease | LeaseDenial> {
  const key = replicationKey(crbId, kind);
  const now = clock.now();
  const before = (await table.get(key, { consistent: true })) as (Item & ReplicationState) | undefined;
  if (before && before.held_until > now.getTime()) {
    return { heldUntil: new Date(before.held_until) };
  }
  const skipped = before && options.plannedAt && findReasonToSkip(before, options.plannedAt, now);
  if (skipped) return skipped;
  const isElsewhere = Boolean(before?.timezone && options.timezone && before.timezone !== options.timezone);
  const isFullRead = options.isFullRead || isElsewhere;
  const goesOn = !isFullRead && before !== undefined && canResume(before, now, options.needsSeen);
  const run =
    before && (goesOn || options.isMaintenance)
      ? {
          position: before.position,
          saved_at: before.saved_at ?? null,
          started_at: before.started_at,
          counts: before.counts,
          total: before.total,
          // A run adds to the stored positions in memory, so the stored positions become incomplete. `release` stores all
          // positions again.
          seen_parts: options.isMaintenance ? before.seen_parts : null,
        }
      : {
          position: null,
          saved_at: null,
          started_at: options.isMaintenance ? null : now.toISOString(),
          counts: noCounts,
          total: null,
          seen_parts: null,
        };
  const state: ReplicationState = {
    ...before,
    ...run,
    fence: (before?.fence ?? (await lastFence(table, crbId, kind))) + 1,
    held_until: now.getTime() + replicationLeaseMs,
    since: isFullRead ? null : (before?.since ?? null),
    timezone: isElsewhere ? null : (before?.timezone ?? null),
    succeeded_at: before?.succeeded_at ?? null,
    error: before?.error ?? null,
    attempts: before?.attempts ?? 0,
    not_before: before?.not_before ?? null,
    caught_up: null,
  };
  const raised = { ...fenceKey(crbId, kind), fence: state.fence };
  // Only one worker gets a number, by the condition of the lease. So if the stored number is the same, this worker wrote it.
  const notRaised = { expression: "attribute_not_exists(pk) OR fence <= :raised", values: { ":raised": state.fence } };
  try {
    // The condition lets only one of several workers acquire a free lease. It fails if the holder has just renewed the lease.
    const free = before
      ? {
          expression: "fence = :before AND held_until = :until",
          values: { ":before": before.fence, ":until": before.held_until },
        }
      : { expression: "attribute_not_exists(pk)" };
    const item = { ...key, ...state };
    if (options.isCrbRequired) {
      const check = table.checkWrite(crbKey(crbId), notPurged);
      await table.transact([check, table.putWrite(item, free), table.putWrite(raised)]);
    } else {
      // Two writes cost half as much as a transaction. Between them, an earlier holder may still write records, but the new
      // holder has not begun to read.
      await table.put(item, free);
      await table.put(raised, notRaised);
    }
  } catch (error) {
    if (isUnmet(error, 0)) throw notFound("CRB");
    if (error instanceof TransactionCanceledException || error instanceof ConditionalCheckFailedException) {
      return { heldUntil: new Date(now.getTime() + replicationLeaseMs) };
    }
    throw error;
  }
  const leased = { ...state, seen_parts: goesOn ? before.seen_parts : null, caught_up: before?.caught_up ?? null };
  return new ReplicationLease(table, crbId, kind, leased, clock);
}

/** The fence of a kind whose lease is not stored: a purge that was killed may have removed the lease alone. */
async function lastFence(table: Table, crbId: string, kind: RecordKind): Promise<number> {
  return ((await table.get(fenceKey(crbId, kind), { consistent: true }))?.fence as number | undefined) ?? 0;
}

function canResume(
  { position, seen_parts, saved_at, started_at }: ReplicationState,
  now: Date,
  needsSeen = false,
): boolean {
  if (position === null || (needsSeen && seen_parts === null)) return false;
  return now.getTime() - Date.parse(saved_at ?? started_at ?? "") <= maxStandstillMs;
}

function findReasonToSkip(
  { not_before, error, attempts, failing_since, started_at, succeeded_at }: ReplicationState,
  plannedAt: string,
  now: Date,
): LeaseDenial | undefined {
  if (not_before && not_before > now.toISOString()) {
    return { notBefore: new Date(not_before), error, attempts, since: new Date(failing_since ?? now) };
  }
  // An interrupted run started after the last success. So the last success does not count as a success of the interrupted run.
  const since = succeeded_at && started_at && succeeded_at > started_at && started_at >= plannedAt;
  return since ? { succeededSince: new Date(succeeded_at) } : undefined;
}
