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
import type { Counts, ReplicationState, SaleCheckProgress, SalesDayProgress } from "./replicationState.ts";
import { SeenPositions } from "./seenPositions.ts";

/**
 * A lease that is not renewed ends after this time (ms). After a worker was killed, a CRB waits at most this long for the next
 * worker. Once another worker has acquired the lease, the earlier worker can write nothing more: every write checks the fencing
 * token.
 */
export const replicationLeaseMs = 60_000;

const noFailure = { error: null, attempts: 0, failing_since: null, not_before: null };

/** An acquired lease. Every method that writes throws LeaseLostError if another worker has taken over the lease. */
export class ReplicationLease {
  /** condition of every transaction of the run */
  readonly fence: Fence;
  readonly since: string | null;
  readonly startedAt: Date;
  /** position in the POS where the run continues; null at the beginning of the run */
  readonly position: string | null;
  readonly counts: Readonly<Counts>;
  /** the confirmation state after the last finished run */
  readonly confirmation: ConfirmationState;
  /** whether the last run left no pending work (`ReplicationState.caught_up`) */
  readonly isCaughtUp: boolean;
  /** the sales days that were complete when the run began; only for sales */
  readonly completedDays: SalesDayProgress | undefined;
  /** how far stored sales have been checked by the present rules; undefined before the first run of sales */
  readonly saleChecks: SaleCheckProgress | undefined;
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
    // If maintenance acquires the lease before the first run, the state has no start time. Maintenance does not depend
    // on this field.
    this.startedAt = new Date(state.started_at ?? 0);
    this.position = state.position;
    this.counts = state.counts;
    this.confirmation = state;
    this.isCaughtUp = state.caught_up ?? false;
    this.completedDays = state.sales_days_completed ?? undefined;
    this.saleChecks = state.sale_checks;
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
   * Renews the lease at intervals. A failed renewal causes no error here, because the next write checks the fence and fails.
   *
   * @returns a function that stops the renewal
   */
  keepRenewed(): () => void {
    const renewal = setInterval(() => this.renew().catch(() => {}), replicationLeaseMs / 3);
    return () => clearInterval(renewal);
  }

  /** Loads the positions of the records that earlier time slices of this run have seen, if `release` or `fail` stored them. */
  async loadSeen(): Promise<SeenPositions> {
    const items = await this.#table.batchGet(this.#seenKeys(this.#seenParts), { consistent: true });
    return SeenPositions.ofParts([...items.values()].map(({ ranks }) => ranks as Uint8Array));
  }

  /** Saves the position: all records before it are written. Also sets the number of failures to 0 and renews the lease. */
  async save(position: string, counts: Counts, total: number | null): Promise<void> {
    const saved_at = this.#clock.now().toISOString();
    await this.#set({ ...noFailure, position, saved_at, counts, total, held_until: this.#heldUntil() });
    this.#attempts = 0;
    this.#savedCounts = { ...counts };
  }

  /**
   * Ends the run after its last write. Releases the lease unless further work needs it.
   *
   * `data_as_of` becomes the start of the run, or an earlier time if the pull read the POS only up to that earlier time.
   * `data_as_of` never moves back. The initial run counts as complete only if it has certainly missed no record, and so does the
   * first full reading in another time zone. The next run reads everything again if a result waits for confirmation, or if the
   * last full reading got no records.
   *
   * @param options.timezone the time zone in which the run has read
   * @param options.isCaughtUp whether the run leaves no pending work for the next run
   * @param options.needsLease receives the new `data_as_of`, or null before the end of the first full reading of this connection
   *   and time zone; returns whether the caller needs the lease for further work
   * @returns undefined if the lease was released. Otherwise the new `data_as_of`; the caller must then call
   *   `releaseAfterFinish`
   * @throws ServiceError "unavailable" if this machine's clock is wrong
   */
  async finish(
    { watermark, asOf: pulledAsOf = this.startedAt.toISOString() }: LastPage,
    counts: Counts,
    confirmation: ConfirmationState = {},
    {
      timezone = null,
      isCaughtUp = false,
      needsLease = () => false,
    }: { timezone?: string | null; isCaughtUp?: boolean; needsLease?: (dataAsOf: string | null) => boolean } = {},
  ): Promise<string | undefined> {
    this.#table.checkClock();
    const { unconfirmed, empty_since } = confirmation;
    const asOf = unconfirmed ? null : pulledAsOf;
    const succeededAt = this.#clock.now().toISOString();
    const { data_as_of: before = null, first_succeeded_at: first } = this.#before;
    const heldAt = asOf === null ? 0 : Date.parse(asOf) - maxClockOffsetMs;
    const isInitial = !first && asOf !== null;
    const isLater = heldAt > Date.parse(before ?? new Date(0).toISOString());
    const dataAsOf = isLater ? new Date(heldAt).toISOString() : before;
    // After a change of the time zone, `since` is null until a run has read everything (`restartWrites`).
    const readIn = this.#before.timezone ?? (asOf === null ? null : timezone);
    const keepsLease = needsLease((first || isInitial) && readIn ? dataAsOf : null);
    const finished = {
      since: unconfirmed || empty_since ? null : watermark,
      position: null,
      counts,
      succeeded_at: succeededAt,
      succeeded_from: this.startedAt.toISOString(),
      first_succeeded_at: isInitial ? succeededAt : (first ?? null),
      timezone: readIn,
      succeeded_counts: counts,
      data_as_of: dataAsOf,
      ...confirmation,
      ...noFailure,
      caught_up: isCaughtUp || null,
      held_until: keepsLease ? this.#heldUntil() : 0,
    };
    // A new connection starts without `first_succeeded_at`, so each connection has its own initial run (`restartWrites`).
    if (isInitial) await this.#finishInitial(finished);
    else await this.#set(finished);
    await this.#forgetSeen();
    return keepsLease ? (dataAsOf ?? undefined) : undefined;
  }

  /** Releases the lease that `finish` has kept. If the release fails, the lease expires at its time. */
  async releaseAfterFinish(): Promise<void> {
    await this.#set({ held_until: 0 }).catch(() => {});
  }

  /** Makes the next run examine all stored sales days again, and complete those that are over. */
  async recheckCompletedDays(): Promise<void> {
    if (!this.completedDays) return;
    await this.#set({ sales_days_completed: { ...this.completedDays, is_rebuilt: true } });
  }

  async saveSaleChecks(sale_checks: SaleCheckProgress): Promise<void> {
    await this.#set({ sale_checks });
  }

  /** Ends the first complete run of a connection. The same transaction records the event (docs/spec.md#events). */
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
   * @param seen the positions of all records that the run has read up to the saved position; further positions do no harm
   * @param counts the present counts; their `created` and `changed` include records written after the saved position
   */
  async release(seen?: SeenPositions, counts?: Counts): Promise<void> {
    await this.#set({ ...(await this.#handOver(seen, counts)), held_until: 0 });
  }

  /**
   * Releases the lease after a failure.
   *
   * @param error the code of the failure
   * @param seen as for `release`
   * @param pauseAfter returns the pause of planned runs in milliseconds after this number of failures; null for no pause
   * @param counts as for `release`
   * @returns the end of the pause, the number of failures in a row, and the time of the first failure
   */
  async fail(
    error: string,
    seen: SeenPositions | undefined,
    pauseAfter: (attempts: number) => number | null,
    counts?: Counts,
  ): Promise<{ retryAt: Date | null; attempts: number; since: Date }> {
    // Rejections and other failures form separate series. After a change from one to the other, counting starts again at 1.
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
    // The next time slice reads the rows after the saved position again. Rows that are already written then count as unchanged,
    // so keep their counts as created or changed now.
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
   * Deletes the stored positions of the records that the run has seen. The state must no longer refer to these positions. A
   * late delete cannot remove the positions of another run, because the delete checks the fence.
   */
  async #forgetSeen(): Promise<void> {
    try {
      // One part at a time: a part has up to 350 KB, and the write capacity of one partition is too small for several parts at
      // once.
      for (const key of this.#seenKeys(this.#seenParts)) {
        const remove = this.#table.deleteWrite(key);
        await retryOnConflict(this.#clock, () => transactFenced(this.#table, this.fence, [remove]));
      }
    } catch {
      // Ignore the error: the run has succeeded, and the next run overwrites the parts that were not deleted.
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
