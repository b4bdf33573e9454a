import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { RecordKind } from "../kinds.ts";
import { isRefusal } from "../pos/connector.ts";
import type { Item, Table } from "../table/client.ts";
import { type Key, replicationKey } from "../table/keys.ts";
import { type Fence, LeaseLostError } from "../table/rankedList/fence.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { UnderWay } from "./underWay.ts";

/**
 * What a run did so far. `read` counts what the POS gave, repetitions too, `rejected` the records set aside, by the
 * connector or by the writer; `changed` also what vanished from the POS.
 */
export interface Counts {
  read: number;
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

/**
 * How long a lease stands when nobody renews it: the longest a business waits after a worker was killed. The fencing
 * number, not this time, keeps two workers from writing.
 */
export const leaseMilliseconds = 60_000;

export const noCounts: Counts = { read: 0, created: 0, changed: 0, unchanged: 0, rejected: 0 };

/** The item behind a lease; it stays when the lease ends, with what the next run and the operator must know. */
export interface ReplicationState {
  /** raised by every holder; what a holder writes is conditional on its own number */
  fence: number;
  /** epoch milliseconds; 0 when nobody holds the lease */
  held_until: number;
  /** watermark of the last finished run, null before the first */
  since: string | null;
  /** where in the present run to go on, null when none is under way */
  position: string | null;
  /** what the pull under way has seen up to its position, as its last holder handed it over (`SeenRanks`) */
  seen: Uint8Array | null;
  /** start of the present or last run, ISO 8601 UTC */
  started_at: string;
  /** end of the last run that finished, ISO 8601 UTC */
  succeeded_at: string | null;
  /** start of that run, ISO 8601 UTC */
  succeeded_from?: string | null;
  /** why the last run stopped; a code, never a message */
  error: string | null;
  /** how many runs have failed one after the other, all refused or none, without a page of records between them */
  attempts: number;
  /** until when a planned run waits after a failure, ISO 8601 UTC; null when it need not */
  not_before: string | null;
  counts: Counts;
  /** how many records the run has, when the POS tells */
  total: number | null;
  /** when the position was saved, ISO 8601 UTC; null before the first page of a run */
  saved_at?: string | null;
  /** what was being written when the last holder was last heard of; see `mendLocations` */
  under_way?: UnderWay[];
}

const noFailure = { error: null, attempts: 0, not_before: null };

/** How a lease is taken. */
export interface LeaseOptions {
  /** A run that was cut off is gone on with only where it handed over what it had seen; begun anew otherwise. */
  needsSeen?: boolean;
  /** Whatever was cut off or read before, the run begins at the beginning and reads everything. */
  anew?: boolean;
  /**
   * When the run was planned (ISO 8601 UTC): it then waits out the pause after a failure, and is not needed when one
   * that began later has succeeded.
   */
  plannedAt?: string | undefined;
  /** For work beside replication: a run that was cut off, or the last one, stands as it did. */
  aside?: boolean;
}

/** Why there is no lease: somebody else holds it, until then; or a planned run that should not begin. */
export type NoLease =
  | { heldUntil: Date }
  | { notBefore: Date; error: string | null; attempts: number }
  | { succeededSince: Date };

/**
 * A run that has come no further for so long (milliseconds) is begun anew: its bounds are those of its beginning, and a
 * POS that tells of changes for some weeks only may refuse to go on from there.
 */
const longestStandstill = 3 * 24 * 60 * 60_000;

/**
 * Takes the lease on replicating one kind of a business's records. A run that was cut off is gone on with: same start,
 * same watermark, its last saved position and counts, unless it was cut off too long ago.
 */
export async function acquireLease(
  table: Table,
  crbId: string,
  kind: RecordKind,
  clock: Clock = systemClock,
  options: LeaseOptions = {},
): Promise<Lease | NoLease> {
  const key = replicationKey(crbId, kind);
  const now = clock.now();
  const before = (await table.get(key, { consistent: true })) as (Item & ReplicationState) | undefined;
  if (before && before.held_until > now.getTime()) {
    return { heldUntil: new Date(before.held_until) };
  }
  const needless = before && options.plannedAt && needlessNow(before, options.plannedAt, now);
  if (needless) return needless;
  const goesOn = !options.anew && before !== undefined && canGoOn(before, now, options.needsSeen);
  const run =
    before && (goesOn || options.aside)
      ? {
          position: before.position,
          saved_at: before.saved_at ?? null,
          started_at: before.started_at,
          counts: before.counts,
          total: before.total,
        }
      : { position: null, saved_at: null, started_at: now.toISOString(), counts: noCounts, total: null };
  const state: ReplicationState = {
    ...run,
    fence: (before?.fence ?? 0) + 1,
    held_until: now.getTime() + leaseMilliseconds,
    since: options.anew ? null : (before?.since ?? null),
    // From now on the holder knows more than what was handed over.
    seen: null,
    succeeded_at: before?.succeeded_at ?? null,
    error: before?.error ?? null,
    attempts: before?.attempts ?? 0,
    not_before: before?.not_before ?? null,
  };
  try {
    // Of several who saw the lease free only one gets it; nor is it taken from a holder who renewed it meanwhile.
    await table.update(
      key,
      { ...state },
      before
        ? {
            expression: "fence = :before AND held_until = :until",
            values: { ":before": before.fence, ":until": before.held_until },
          }
        : { expression: "attribute_not_exists(pk)" },
    );
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return { heldUntil: new Date(now.getTime() + leaseMilliseconds) };
    }
    throw error;
  }
  const seen = goesOn || options.aside ? (before?.seen ?? null) : null;
  return new Lease(table, key, { ...state, seen, under_way: before?.under_way ?? [] }, clock);
}

function canGoOn({ position, seen, saved_at, started_at }: ReplicationState, now: Date, needsSeen = false): boolean {
  if (position === null || (needsSeen && seen === null)) return false;
  return now.getTime() - Date.parse(saved_at ?? started_at) <= longestStandstill;
}

function needlessNow(
  { not_before, error, attempts, started_at, succeeded_at }: ReplicationState,
  plannedAt: string,
  now: Date,
): NoLease | undefined {
  if (not_before && not_before > now.toISOString()) return { notBefore: new Date(not_before), error, attempts };
  // A run that was cut off has begun after the last success.
  const since = succeeded_at && succeeded_at > started_at && started_at >= plannedAt;
  return since ? { succeededSince: new Date(succeeded_at) } : undefined;
}

/** A lease that was taken. Each function throws LeaseLostError when another holder has taken it over since. */
export class Lease {
  /** what every transaction of the run's writer must be conditional on */
  readonly fence: Fence;
  readonly since: string | null;
  readonly startedAt: Date;
  /** where the run goes on, and what it did before */
  readonly position: string | null;
  readonly counts: Readonly<Counts>;
  /** what was seen up to the position, if that was handed over */
  readonly seen: Uint8Array | null;
  /** what an earlier holder announced and may not have finished */
  readonly underWay: readonly UnderWay[];
  readonly #table: Table;
  readonly #key: Key;
  readonly #clock: Clock;
  readonly #error: string | null;
  #attempts: number;

  constructor(table: Table, key: Key, state: ReplicationState, clock: Clock) {
    this.#table = table;
    this.#key = key;
    this.#clock = clock;
    this.fence = { key, number: state.fence };
    this.since = state.since;
    this.startedAt = new Date(state.started_at);
    this.position = state.position;
    this.counts = state.counts;
    this.seen = state.seen ?? null;
    this.underWay = state.under_way ?? [];
    this.#error = state.error;
    this.#attempts = state.attempts;
  }

  /** Keeps the lease while a long call is under way; without effect on a lease that was given back. */
  async renew(): Promise<void> {
    await this.#set({ held_until: this.#heldUntil() }, " AND held_until > :released", { ":released": 0 });
  }

  /** Notes what is about to be written, for the next holder to look after should this one die meanwhile. */
  async announce(underWay: readonly UnderWay[]): Promise<void> {
    await this.#set({ under_way: [...this.underWay, ...underWay] });
  }

  /** Notes that everything before the position is written, which ends a series of failures, and renews the lease. */
  async save(position: string, counts: Counts, total: number | null): Promise<void> {
    const saved_at = this.#clock.now().toISOString();
    await this.#set({ ...noFailure, position, saved_at, counts, total, under_way: [], held_until: this.#heldUntil() });
    this.#attempts = 0;
  }

  /** Ends the run, all of whose records are written, and gives the lease back. */
  async finish(watermark: string, counts: Counts): Promise<void> {
    const succeededAt = this.#clock.now().toISOString();
    await this.#set({
      since: watermark,
      position: null,
      counts,
      succeeded_at: succeededAt,
      succeeded_from: this.startedAt.toISOString(),
      ...noFailure,
      under_way: [],
      held_until: 0,
    });
  }

  /**
   * Gives the lease back before the run's end, for it to go on.
   *
   * @param seen what was seen at least up to the saved position
   */
  async release(seen: Uint8Array | null = null): Promise<void> {
    await this.#set({ seen, held_until: 0 });
  }

  /**
   * Gives the lease back because of a failure.
   *
   * @param error its code
   * @param seen what was seen at least up to the saved position
   * @param pauseAfter how many milliseconds planned runs are to wait after so many failures; none when null
   * @returns until when they wait, and how many failures in a row these are
   */
  async fail(
    error: string,
    seen: Uint8Array | null,
    pauseAfter: (attempts: number) => number | null,
  ): Promise<{ retryAt: Date | null; attempts: number }> {
    // Being let in no longer is another matter than an outage that came before it.
    const attempts = isRefusal(error) === isRefusal(this.#error) ? this.#attempts + 1 : 1;
    const pause = pauseAfter(attempts);
    const notBefore = pause === null ? null : new Date(this.#clock.now().getTime() + pause);
    await this.#set({ error, attempts, not_before: notBefore?.toISOString() ?? null, seen, held_until: 0 });
    return { retryAt: notBefore, attempts };
  }

  #heldUntil(): number {
    return this.#clock.now().getTime() + leaseMilliseconds;
  }

  async #set(attributes: Partial<ReplicationState>, more = "", values: Record<string, unknown> = {}): Promise<void> {
    try {
      await this.#table.update(this.#key, attributes, {
        expression: `fence = :fence${more}`,
        values: { ":fence": this.fence.number, ...values },
      });
    } catch (error) {
      throw error instanceof ConditionalCheckFailedException ? new LeaseLostError("the lease was taken over") : error;
    }
  }
}
