import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { Item, Table } from "../table/client.ts";
import { type Clock, systemClock } from "../table/clock.ts";
import { type Key, type RecordKind, replicationKey } from "../table/keys.ts";
import { type Fence, LeaseLostError } from "../table/rankedList/fence.ts";

/** What a run did so far. `rejected` counts the records set aside, by the connector or by the writer. */
export interface Counts {
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

/** The item behind a lease; it stays when the lease ends, with what the next run must know. */
interface ReplicationState {
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
  /** why the last run stopped; a code, never a message */
  error: string | null;
  counts: Counts;
  /** how many records the run has, when the POS tells */
  total: number | null;
}

/**
 * Takes the lease on replicating one kind of a business's records. A run that was cut off is gone on with: same start,
 * same watermark, its last saved position and counts.
 *
 * @param options.needsSeen such a run is gone on with only where the one before handed over what it had seen; begun
 * anew otherwise
 * @returns the lease, or until when somebody else holds it
 */
export async function acquireLease(
  table: Table,
  crbId: string,
  kind: RecordKind,
  clock: Clock = systemClock,
  options: { needsSeen?: boolean } = {},
): Promise<Lease | { heldUntil: Date }> {
  const key = replicationKey(crbId, kind);
  const now = clock.now();
  const before = (await table.get(key, { consistent: true })) as (Item & ReplicationState) | undefined;
  if (before && before.held_until > now.getTime()) {
    return { heldUntil: new Date(before.held_until) };
  }
  const goesOn = before?.position != null && (!options.needsSeen || before.seen != null);
  const state: ReplicationState = {
    fence: (before?.fence ?? 0) + 1,
    held_until: now.getTime() + leaseMilliseconds,
    since: before?.since ?? null,
    position: goesOn ? before.position : null,
    // From now on the holder knows more than what was handed over.
    seen: null,
    started_at: goesOn ? before.started_at : now.toISOString(),
    succeeded_at: before?.succeeded_at ?? null,
    error: before?.error ?? null,
    counts: goesOn ? before.counts : { created: 0, changed: 0, unchanged: 0, rejected: 0 },
    total: goesOn ? before.total : null,
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
  return new Lease(table, key, { ...state, seen: goesOn ? before.seen : null }, clock);
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
  readonly #table: Table;
  readonly #key: Key;
  readonly #clock: Clock;

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
  }

  /** Keeps the lease while a long call is under way; without effect on a lease that was given back. */
  async renew(): Promise<void> {
    await this.#set({ held_until: this.#heldUntil() }, " AND held_until > :released", { ":released": 0 });
  }

  /** Notes that everything before the position is written, and renews the lease. */
  async save(position: string, counts: Counts, total: number | null): Promise<void> {
    await this.#set({ position, counts, total, held_until: this.#heldUntil() });
  }

  /** Ends the run, all of whose records are written, and gives the lease back. */
  async finish(watermark: string, counts: Counts): Promise<void> {
    const succeededAt = this.#clock.now().toISOString();
    await this.#set({
      since: watermark,
      position: null,
      counts,
      succeeded_at: succeededAt,
      error: null,
      held_until: 0,
    });
  }

  /**
   * Gives the lease back before the run's end.
   *
   * @param error code of what stopped it; null when it shall just go on
   * @param seen what was seen at least up to the saved position
   */
  async release(error: string | null, seen: Uint8Array | null = null): Promise<void> {
    await this.#set({ error, seen, held_until: 0 });
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
