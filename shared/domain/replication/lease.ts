import { nameOfKind, type RecordKind } from "../../api/kinds.ts";
import { isRejection, type LastPage } from "../../pos/connector.ts";
import { conditionHeld, maxClockOffsetMs, type Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { commit } from "../../store/eventLog/commit.ts";
import { fenceKey, type Key, replicationKey, seenKey } from "../../store/keys.ts";
import { type Fence, LeaseLostError, transactFenced, whileStanding } from "../../store/orderedList/fence.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import type { ConfirmationState } from "./confirmPull.ts";
import type { Counts, ReplicationState } from "./replicationState.ts";
import { SeenPositions } from "./seenPositions.ts";

/**
 * How long a lease stands when nobody renews it: the longest a business waits after a worker was killed. The fencing
 * number, not this time, keeps two workers from writing.
 */
export const leaseMilliseconds = 60_000;

const noFailure = { error: null, attempts: 0, failing_since: null, not_before: null };

/** A lease that was taken. Each function throws LeaseLostError when another holder has taken it over since. */
export class Lease {
  /** what every transaction of the run's writer must be conditional on */
  readonly fence: Fence;
  readonly since: string | null;
  readonly startedAt: Date;
  /** where the run goes on, and what it did before */
  readonly position: string | null;
  readonly counts: Readonly<Counts>;
  /** as the last finished run left it */
  readonly confirmation: ConfirmationState;
  readonly #table: Table;
  readonly #crbId: string;
  readonly #kind: RecordKind;
  readonly #clock: Clock;
  readonly #before: ReplicationState;
  readonly #seenParts: number;
  #attempts: number;
  /** as they stood at the position */
  #savedCounts: Readonly<Counts>;

  constructor(table: Table, crbId: string, kind: RecordKind, state: ReplicationState, clock: Clock) {
    this.#table = table;
    this.#crbId = crbId;
    this.#kind = kind;
    this.#clock = clock;
    this.fence = { key: fenceKey(crbId, kind), number: state.fence };
    this.since = state.since;
    // Of a lease that was taken for something else than a run nobody asks for it.
    this.startedAt = new Date(state.started_at ?? 0);
    this.position = state.position;
    this.counts = state.counts;
    this.confirmation = state;
    this.#savedCounts = state.counts;
    this.#seenParts = state.seen_parts ?? 0;
    this.#before = state;
    this.#attempts = state.attempts;
  }

  /** Keeps the lease while a long call is under way; without effect on a lease that was given back. */
  async renew(): Promise<void> {
    await this.#set({ held_until: this.#heldUntil() }, " AND held_until > :released", { ":released": 0 });
  }

  /**
   * Keeps renewing the lease meanwhile. A renewal that fails shows at the next write, which is conditional on the lease too.
   *
   * @returns ends it
   */
  keepRenewed(): () => void {
    const renewal = setInterval(() => this.renew().catch(() => {}), leaseMilliseconds / 3);
    return () => clearInterval(renewal);
  }

  /** What was seen up to the position, if that was handed over. */
  async loadSeen(): Promise<SeenPositions> {
    const items = await this.#table.batchGet(this.#seenKeys(this.#seenParts), { consistent: true });
    return SeenPositions.ofParts([...items.values()].map(({ ranks }) => ranks as Uint8Array));
  }

  /** Notes that everything before the position is written, which ends a series of failures, and renews the lease. */
  async save(position: string, counts: Counts, total: number | null): Promise<void> {
    const saved_at = this.#clock.now().toISOString();
    await this.#set({ ...noFailure, position, saved_at, counts, total, held_until: this.#heldUntil() });
    this.#attempts = 0;
    this.#savedCounts = { ...counts };
  }

  /**
   * Ends the run, all of whose records are written, and gives the lease back.
   *
   * What the POS held when the run began is stored then, or has changed since; unless the pull says that it reached less
   * far. What was known of an earlier instant stays true, since nothing is ever taken away.
   * A first reading that may have missed something is not the end of the initial one: a later run is. As long as a
   * result waits for confirmation, or nothing was ever read, the next run reads everything again.
   *
   * @throws ServiceError "unavailable" when the clock by which that is told is wrong
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
    // Of this connection: see `restartWrites`.
    if (isInitial) await this.#finishInitial(finished);
    else await this.#set(finished);
    await this.#forgetSeen();
  }

  /** Ends the first run of a connection that has read everything, with the event that tells of it (docs/spec.md#events). */
  async #finishInitial(finished: Partial<ReplicationState>): Promise<void> {
    // A CRB that a read does not show yet would be told nothing of, for good.
    const spId = (await readCrb(this.#table, this.#crbId, { consistent: true }))?.serviceProviderId;
    const event = { type: "replication.initial_sync.completed", crbId: this.#crbId } as const;
    const events = spId ? [{ ...event, spId, data: { kind: nameOfKind(this.#kind) } }] : [];
    const state = this.#table.setWrite(replicationKey(this.#crbId, this.#kind), finished);
    await retryOnConflict(this.#clock, () =>
      whileStanding(this.#table, this.fence, (stands) =>
        commit(this.#table, { writes: [stands, state], events }, this.#clock),
      ),
    );
  }

  /** Makes the next run read everything from the beginning. */
  async restart(): Promise<void> {
    await this.#set({ since: null, position: null, seen_parts: null });
  }

  /**
   * Gives the lease back before the run's end, for it to go on.
   *
   * @param seen what was seen at least up to the saved position
   * @param counts as they are now; what was written counts, also behind that position
   */
  async release(seen?: SeenPositions, counts?: Counts): Promise<void> {
    await this.#set({ ...(await this.#handOver(seen, counts)), held_until: 0 });
  }

  /**
   * Gives the lease back because of a failure.
   *
   * @param error its code
   * @param seen what was seen at least up to the saved position
   * @param pauseAfter how many milliseconds planned runs are to wait after so many failures; none when null
   * @param counts as for `release`
   * @returns until when they wait, how many failures in a row these are, and since when
   */
  async fail(
    error: string,
    seen: SeenPositions | undefined,
    pauseAfter: (attempts: number) => number | null,
    counts?: Counts,
  ): Promise<{ retryAt: Date | null; attempts: number; since: Date }> {
    // Being let in no longer is another matter than an outage that came before it.
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
    // What is read again is counted again, and then found unchanged.
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
   * Takes away what was handed over, after the state no longer names it and under the fence: a delete that arrives late must
   * not hit what is handed over again.
   */
  async #forgetSeen(): Promise<void> {
    try {
      // A part has up to 350 KB, so one partition cannot grant the write units of several parts at once.
      for (const key of this.#seenKeys(this.#seenParts)) {
        const remove = this.#table.deleteWrite(key);
        await retryOnConflict(this.#clock, () => transactFenced(this.#table, this.fence, [remove]));
      }
    } catch {
      // The next run overwrites a part that stays. This run has succeeded either way.
    }
  }

  #seenKeys(parts: number): Key[] {
    return Array.from({ length: parts }, (_, part) => seenKey(this.#crbId, this.#kind, part));
  }

  #heldUntil(): number {
    return this.#clock.now().getTime() + leaseMilliseconds;
  }

  async #set(attributes: Partial<ReplicationState>, more = "", values: Record<string, unknown> = {}): Promise<void> {
    const write = this.#table.update(replicationKey(this.#crbId, this.#kind), attributes, {
      expression: `fence = :fence${more}`,
      values: { ":fence": this.fence.number, ...values },
    });
    if (!(await conditionHeld(write))) throw new LeaseLostError("the lease was taken over");
  }
}
