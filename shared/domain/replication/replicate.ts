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
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { acquireLease, type NoLease } from "./acquireLease.ts";
import { tryToAnnounce } from "./announceChanges.ts";
import { Lease } from "./lease.ts";
import { replicatedKinds } from "./replicatedKinds.ts";
import type { Counts, Unconfirmed } from "./replicationState.ts";
import { retryPause } from "./retryPause.ts";
import { run } from "./run.ts";
import { cutOffOf } from "./runContext.ts";
import type { SeenPositions } from "./seenPositions.ts";

export interface ReplicateOptions {
  /** after this the run stops where it is, to be gone on with later; without it it goes to its end */
  deadline?: Date;
  /** when the run was planned; see `LeaseOptions`. Without it the run begins in any case */
  plannedAt?: string | undefined;
  /**
   * asked once under the lease: whether the connection is still what it was when it was read. Whoever changes it takes
   * the leases away, but only from those who have one
   */
  isCurrent?: () => Promise<boolean>;
  /** everything is read from the beginning, and what was rejected before is forgotten at the end */
  anew?: boolean;
  /** told of each page that is written: the counts of the run up to it, and what of it was rejected */
  onPage?: (counts: Counts, rejected: readonly RejectedPosRecord[]) => void;
  clock?: Clock;
  /** of the list of records; tests have small ones */
  segmentSize?: number;
}

/**
 * How a run ended. `finished`: the table holds what the POS held when the run started, except what is `unconfirmed`.
 * `unfinished`: the deadline came first. `failed`: the POS could not be read, for the `attempts`th time in a row since
 * an instant; planned runs wait until `retryAt`. `held`: another worker runs it, nothing was done. `lost`: another worker
 * took over, or the connection was changed; this one stopped. Planned runs only, nothing was done: `early`, it waits
 * because of an earlier failure; `needless`, one that began later has succeeded.
 */
export type ReplicationResult =
  | ({ outcome: "finished"; unconfirmed?: Unconfirmed } & Counts)
  | ({ outcome: "unfinished" } & Counts)
  | { outcome: "failed"; failure: PosFailure; code: string | undefined; retryAt: Date; attempts: number; since: Date }
  | { outcome: "held"; until: Date }
  | { outcome: "early"; until: Date; error: string | null; attempts: number; since: Date }
  | { outcome: "needless" | "lost" };

/**
 * Brings the table up to date with one kind of a business's records in its POS, under a lease. It may be killed at any
 * point and run again: what is written twice is the same, and a run goes on where the last saved page ended. What a run
 * of inventory has stored that is `lost` may be left to `updateDerivedLists`.
 *
 * @throws ServiceError "unavailable" when the table cannot be reached; the lease is given back before
 */
export async function replicate<Kind extends RecordKind>(
  table: Table,
  connection: Connection,
  connector: Connector,
  kind: Kind,
  options: ReplicateOptions = {},
): Promise<ReplicationResult> {
  const needsSeen = replicatedKinds[kind].findVanished !== undefined;
  const { plannedAt, anew = false, clock = systemClock, deadline, onPage, segmentSize } = options;
  const lease = await acquireLease(table, connection.crbId, kind, clock, { needsSeen, plannedAt, anew });
  if (!(lease instanceof Lease)) return withoutLease(lease);
  const endRenewal = lease.keepRenewed();
  const counts = { ...lease.counts };
  let seen: SeenPositions | undefined;
  try {
    // What one that was killed has stored.
    await tryToAnnounce(table, connection.crbId, kind, clock);
    seen = needsSeen ? await lease.loadSeen() : undefined;
    if (options.isCurrent && !(await options.isCurrent())) {
      await lease.release(seen, counts);
      return { outcome: "lost" };
    }
    const context = { table, connection, fence: lease.fence, clock, deadline, cutOff: cutOffOf(deadline) };
    const unconfirmed = await run(context, connector, kind, { lease, counts, seen, onPage, segmentSize });
    return { outcome: "finished", ...counts, ...(unconfirmed && { unconfirmed }) };
  } catch (error) {
    if (error instanceof LeaseLostError) return { outcome: "lost" };
    // Awaited here: a failure while the changes are announced would be nobody's.
    if (error instanceof OutOfTimeError) return await handOver(lease, seen, counts);
    const pause = (attempts: number) => (error instanceof PosError ? retryPause(error, attempts) : null);
    const { retryAt, attempts, since } = await lease
      .fail(failureCode(error), seen, pause, counts)
      // A table that is out of reach is what failed the run; who has the lease now needs no telling.
      .catch(() => ({ retryAt: null, attempts: 0, since: null }));
    if (!(error instanceof PosError && retryAt)) throw error;
    return { outcome: "failed", failure: error.failure, code: error.code, retryAt, attempts, since };
  } finally {
    endRenewal();
    await tryToAnnounce(table, connection.crbId, kind, clock);
  }
}

/** Leaves the rest of a run to the next one. */
async function handOver(lease: Lease, seen: SeenPositions | undefined, counts: Counts): Promise<ReplicationResult> {
  try {
    await lease.release(seen, counts);
    return { outcome: "unfinished", ...counts };
  } catch (error) {
    // Somebody has taken the lease meanwhile, and goes on already.
    if (error instanceof LeaseLostError) return { outcome: "lost" };
    throw error;
  }
}

function withoutLease(reason: NoLease): ReplicationResult {
  if ("heldUntil" in reason) return { outcome: "held", until: reason.heldUntil };
  if ("notBefore" in reason) {
    const { notBefore: until, ...failure } = reason;
    return { outcome: "early", until, ...failure };
  }
  return { outcome: "needless" };
}

/** What stopped a run, as a code: a message might hold what must not be stored. */
export function failureCode(error: unknown): string {
  if (error instanceof PosError) {
    return error.failure;
  }
  return error instanceof ServiceError ? error.kind : "unexpected";
}
