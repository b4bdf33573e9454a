import { nameOfKind, type RecordKind } from "../../api/kinds.ts";
import { isRejection, type LastPage } from "../../pos/connector.ts";
import { maxClockOffsetMs, type Table, tryConditionalWrite } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import type { Key } from "../../store/keys/key.ts";
import { fenceKey, replicationKey, seenPositionsKey } from "../../store/keys/replication.ts";
import { type Fence, LeaseLostError, transactFenced, withFence } from "../../store/orderedList/fence.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import type { ConfirmationState } from "./confirmPull.ts";
import type { Counts, ReplicationState } from "./replicationState.ts";
import { SeenPositions } from "./seenPositions.ts";

/**
 * A lease that is not renewed ends after this time. It is the longest wait of a CRB after a worker was killed. The fencing
 * token, not this time, keeps two workers from writing.
 */
export const replicationLeaseMs = 60_000;

const noFailure = { error: null, attempts: 0, failing_since: null, not_before: null };

/** An acquired lease. Every method throws LeaseLostError if another holder took it over. */
export class ReplicationLease {
  /** condition of every transaction of the run */
  readonly fence: Fence;
  readonly since: string | null;
  readonly startedAt: Date;
  /** where the run continues, and its counts so far */
  readonly position: string | null;
  readonly counts: Readonly<Counts>;
  /** from the last finished run */
  readonly confirmation: ConfirmationState;
  readonly #table: Table;
  readonly #crbId: string;
  readonly #kind: RecordKind;
  readonly #clock: Clock;
  readonly #before: ReplicationState;
  readonly #seenParts: number;
  #attempts: number;
  /** the counts at the saved position */
  #savedCounts: Readonly<Counts>;

  constructor(table: Table, crbId: string, kind: RecordKind, state: ReplicationState, clock: Clock) {
    this.#table = table;
    this.#crbId = crbId;
    this.#kind = kind;
    this.#clock = clock;
    this.fence = { key: fenceKey(crbId, kind), number: state.fence };
    this.since = state.since;
    // Unused if the lease was not acquired for a run.
    this.startedAt = new Date(state.started_at ?? 0);
    this.position = state.position;
    this.counts = state.counts;
    this.confirmation = state;
    this.#savedCounts = state.counts;
    this.#seenParts = state.seen_parts ?? 0;
    this.#before = state;
    this.#attempts = state.attempts;
  }

  /** Extends the lease during a long call. Does nothing if the lease was released. */
  async renew(): Promise<void> {
    await this.#set({ held_until: this.#heldUntil() }, " AND held_until > :released", { ":released": 0 });
  }

  /**
   * Renews the lease until stopped. A failed renewal shows at the next write, which checks the fence.
   *
   * @returns stops the renewal
   */
  keepRenewed(): () => void {
    const renewal = setInterval(() => this.renew().catch(() => {}), replicationLeaseMs / 3);
    return () => clearInterval(renewal);
  }

  /** Loads the positions that the earlier time slices of this run saw, if they were handed over. */
  async loadSeen(): Promise<SeenPositions> {
    const items = await this.#table.batchGet(this.#seenKeys(this.#seenParts), { consistent: true });
    return SeenPositions.ofParts([...items.values()].map(({ ranks }) => ranks as Uint8Array));
  }

  /** Saves that everything before the position is written. Ends a series of failures, and renews the lease. */
  async save(position: string, counts: Counts, total: number | null): Promise<void> {
    const saved_at = this.#clock.now().toISOString();
    await this.#set({ ...noFailure, position, saved_at, counts, total, held_until: this.#heldUntil() });
    this.#attempts = 0;
    this.#savedCounts = { ...counts };
  }

  /**
   * Ends the run after its last write, and releases the lease.
   *
   * `data_as_of` becomes the start of the run, or an earlier time if the pull reached less far. It never moves back.
   * The initial run is complete only if the reading missed nothing. While a result waits for confirmation, or if nothing
   * was ever read, the next run reads everything again.
   *
   * @throws ServiceError "unavailable" if this machine's clock is wrong
   */
  async finish(
    { watermark, asOf: pulledAsOf = this.startedAt.toISOString() }: LastPage,
    counts: Counts,
    confirmation: ConfirmationState = {},
  ): Promise<void> {
    this.#table.checkClock();
    const { unconfirmed, empty_since } = confirmation;
    const asOf = unconfirmed ? null : pulledAsOf;
    const succeededAt = this.#clock.now().toISOString();
    const { data_as_of: before = null, first_succeeded_at: first } = this.#before;
    const heldAt = asOf === null ? 0 : Date.parse(asOf) - maxClockOffsetMs;
    const isInitial = !first && asOf !== null;
    const isLater = heldAt > Date.parse(before ?? new Date(0).toISOString());
    const finished = {
      since: unconfirmed || empty_since ? null : watermark,
      position: null,
      counts,
      succeeded_at: succeededAt,
      succeeded_from: this.startedAt.toISOString(),
      first_succeeded_at: isInitial ? succeededAt : (first ?? null),
      succeeded_counts: counts,
      data_as_of: isLater ? new Date(heldAt).toISOString() : before,
      ...confirmation,
      ...noFailure,
      held_until: 0,
    };
    // The first of this connection: see `restartWrites`.
    if (isInitial) await this.#finishInitial(finished);
    else await this.#set(finished);
    await this.#forgetSeen();
  }

  /** Ends the first complete run of a connection and records its event in the same transaction (docs/spec.md#events). */
  async #finishInitial(finished: Partial<ReplicationState>): Promise<void> {
    // A stale read of the CRB would lose the event.
    const spId = (await readCrb(this.#table, this.#crbId, { consistent: true }))?.serviceProviderId;
    const event = { type: "replication.initial_sync.completed", crbId: this.#crbId } as const;
    const events = spId ? [{ ...event, spId, data: { kind: nameOfKind(this.#kind) } }] : [];
    const state = this.#table.setWrite(replicationKey(this.#crbId, this.#kind), finished);
    await retryOnConflict(this.#clock, () =>
      withFence(this.#table, this.fence, (stands) =>
        commitWithEvents(this.#table, { writes: [stands, state], events }, this.#clock),
      ),
    );
  }

  /** Makes the next run read everything from the beginning. */
  async restart(): Promise<void> {
    await this.#set({ since: null, position: null, seen_parts: null });
  }

  /**
   * Releases the lease before the run's end, so that another time slice can continue.
   *
   * @param seen at least the positions up to the saved one
   * @param counts now; records written after the saved position are included
   */
  async release(seen?: SeenPositions, counts?: Counts): Promise<void> {
    await this.#set({ ...(await this.#handOver(seen, counts)), held_until: 0 });
  }

  /**
   * Releases the lease after a failure.
   *
   * @param error its code
   * @param seen as for `release`
   * @param pauseAfter returns the pause of planned runs in milliseconds after this number of failures; null for none
   * @param counts as for `release`
   * @returns the end of the pause, the number of failures in a row, and the time of the first
   */
  async fail(
    error: string,
    seen: SeenPositions | undefined,
    pauseAfter: (attempts: number) => number | null,
    counts?: Counts,
  ): Promise<{ retryAt: Date | null; attempts: number; since: Date }> {
    // A rejection of the credentials does not continue a series of outages.
    const attempts = isRejection(error) === isRejection(this.#before.error) ? this.#attempts + 1 : 1;
    const pause = pauseAfter(attempts);
    const now = this.#clock.now();
    const since = attempts === 1 ? now : new Date(this.#before.failing_since ?? now);
    const notBefore = pause === null ? null : new Date(now.getTime() + pause);
    const handedOver = await this.#handOver(seen, counts);
    const not_before = notBefore?.toISOString() ?? null;
    const failing_since = since.toISOString();
    await this.#set({ error, attempts, failing_since, not_before, ...handedOver, held_until: 0 });
    return { retryAt: notBefore, attempts, since };
  }

  async #handOver(seen: SeenPositions | undefined, counts = this.#savedCounts): Promise<Partial<ReplicationState>> {
    // The next time slice reads rows after the position again, and counts them as unchanged.
    const { created, changed } = counts;
    const written = { counts: { ...this.#savedCounts, created, changed } };
    if (!seen) return written;
    const parts = seen.toParts();
    for (const [i, key] of this.#seenKeys(parts.length).entries()) {
      const write = this.#table.putWrite({ ...key, ranks: parts[i] });
      await retryOnConflict(this.#clock, () => transactFenced(this.#table, this.fence, [write]));
    }
    return { ...written, seen_parts: parts.length };
  }

  /**
   * Deletes the handed-over positions, after the state no longer refers to them. The fence keeps a late delete from removing
   * the positions of another run.
   */
  async #forgetSeen(): Promise<void> {
    try {
      // A part has up to 350 KB: one partition lacks the write units for several parts at once.
      for (const key of this.#seenKeys(this.#seenParts)) {
        const remove = this.#table.deleteWrite(key);
        await retryOnConflict(this.#clock, () => transactFenced(this.#table, this.fence, [remove]));
      }
    } catch {
      // The next run overwrites a part that stays. This run has succeeded either way.
    }
  }

  #seenKeys(parts: number): Key[] {
    return Array.from({ length: parts }, (_, part) => seenPositionsKey(this.#crbId, this.#kind, part));
  }

  #heldUntil(): number {
    return this.#clock.now().getTime() + replicationLeaseMs;
  }

  async #set(attributes: Partial<ReplicationState>, more = "", values: Record<string, unknown> = {}): Promise<void> {
    const write = this.#table.update(replicationKey(this.#crbId, this.#kind), attributes, {
      expression: `fence = :fence${more}`,
      values: { ":fence": this.fence.number, ...values },
    });
    if (!(await tryConditionalWrite(write))) throw new LeaseLostError("the lease was taken over");
  }
}
