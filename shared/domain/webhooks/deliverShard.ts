import type { WebhookDelivery } from "../../api/schemas/webhookEndpoint.ts";
import { maxDelaySeconds } from "../../platform/queue/sendMessages.ts";
import { maxClockOffsetMs, type Table } from "../../store/client.ts";
import { eventsPartition } from "../../store/keys/events.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import { attemptDelivery, type DeliverySender } from "./attemptDelivery.ts";
import { beginShard, type SkipReason, type StartedDelivery } from "./beginShard.ts";
import { type DeliveryProbe, recordCircuitFailure } from "./circuitBreaker.ts";
import { type DeliveryLease, findCurrentFailures } from "./deliveryLease.ts";
import { type Endpoint, readEndpoint } from "./endpoint.ts";
import { advancePosition, findNextDelivery, type NextDelivery } from "./findNextDelivery.ts";
import { type EventBatch, readNextEvents } from "./readNextEvents.ts";
import { recordDelivery, recordFailure } from "./recordAttempt.ts";
import { hastenDeliveries, requestDeliveries } from "./requestDeliveries.ts";
import { signingSecrets } from "./secrets.ts";
import { maxAttemptMs } from "./sendDelivery.ts";
import type { ShardMessage } from "./webhookMessage.ts";

/** What came of a message. */
export interface ShardResult {
  outcome:
    | SkipReason
    | "failed"
    | "handed over" // its turn was over, or time too short
    | "taken over"; // somebody else has, or the position was set anew
  delivered: number;
  /** of the attempt that failed */
  failure?: Pick<WebhookDelivery, "error" | "status_code" | "attempt">;
}

export interface DeliverOptions {
  /** No attempt begins after it. */
  deadline: Date;
  sendTo?: DeliverySender | undefined;
  /** how many events are read at once; fewer in tests */
  eventsAtOnce?: number;
  /** gives numbers from 0 to below 1 */
  random?: () => number;
}

/**
 * After so many milliseconds a worker puts its shard back into the queue behind the others': else ten endpoints whose receivers take
 * seconds to answer, with 16 shards each, would have all workers to themselves.
 */
const timeSliceMs = 3_000;

/** An attempt, and what is written before and after it, by clocks that are not quite right. */
const minAttemptLeaseMs = maxAttemptMs + 2 * maxClockOffsetMs;

/**
 * Delivers to an endpoint what a shard of the events holds for it, one event after the other, until all is delivered, one fails,
 * or its turn is over. Any message may start it, at any time, and twice: it does what there is to do, alone, under the lease of
 * the position. Whoever is killed leaves at most an event that was delivered and not noted, and comes again.
 *
 * @throws ServiceError "unavailable" when the table, or what opens secrets, cannot be reached; nothing is lost by that
 */
export async function deliverShard(table: Table, message: ShardMessage, options: DeliverOptions): Promise<ShardResult> {
  const run = new ShardDelivery(table, message, options);
  const result = await run.work();
  return { outcome: result, delivered: run.delivered, ...(run.failure && { failure: run.failure }) };
}

type End = ShardResult["outcome"];

class ShardDelivery {
  delivered = 0;
  failure: ShardResult["failure"];
  readonly #table: Table;
  readonly #message: ShardMessage;
  readonly #options: DeliverOptions;
  readonly #pk: string;

  constructor(table: Table, message: ShardMessage, options: DeliverOptions) {
    this.#table = table;
    this.#message = message;
    this.#options = options;
    this.#pk = eventsPartition(message.sp_id, message.shard);
  }

  async work(): Promise<End> {
    for (;;) {
      const begun = await beginShard(this.#table, this.#message, this.#options.eventsAtOnce);
      if (typeof begun === "string") return begun;
      const { lease } = begun;
      const end = await this.#underLease(begun);
      if (end !== "current") return end;
      // Whoever was told meanwhile found the lease held: what came after the last look is this worker's.
      const { seq } = lease.position;
      const later = await this.#read(seq);
      if (later.seq === seq && later.events.length === 0) return end;
    }
  }

  async #underLease(begun: StartedDelivery): Promise<End> {
    const { lease, probe } = begun;
    try {
      return await this.#deliverAll(begun);
    } catch (error) {
      // Whether or not something was stored that nobody answered: what still arrives is refused once somebody else holds it.
      await releaseLeases(lease, probe);
      if (!(error instanceof LeaseLostError)) throw error;
      // Whoever has set the position anew has asked for deliveries, maybe while this worker held it.
      await requestDeliveries([this.#message]);
      return "taken over";
    }
  }

  async #deliverAll(begun: StartedDelivery): Promise<End> {
    const { lease } = begun;
    let { endpoint, batch, probe } = begun;
    const turnEnds = this.#now() + timeSliceMs;
    for (;;) {
      // Something is delivered in each turn, however slow all is.
      const isTurnOver = this.delivered > 0 && this.#now() >= turnEnds;
      if (isTurnOver || this.#now() >= this.#options.deadline.getTime()) {
        await releaseLeases(lease, probe);
        await requestDeliveries([this.#message]);
        return "handed over";
      }
      const next = this.#next(batch, lease, endpoint);
      if (!next) {
        const reached = this.#advanced(batch, endpoint, lease.position.done);
        await lease.set({ ...reached, failures: null, heldUntil: batch.isFull ? lease.renewed : 0 });
        if (!batch.isFull) {
          await probe?.release();
          return "current";
        }
        batch = await this.#read(reached.seq);
        continue;
      }
      if (!lease.hasTimeFor(minAttemptLeaseMs)) await lease.set({ heldUntil: lease.renewed });
      const secrets = await signingSecrets(endpoint, this.#table.clock.now());
      // At the last moment: after the answer that disables or deletes an endpoint, leads it elsewhere or gives it another secret,
      // nothing begins as it was before.
      const stored = await readEndpoint(this.#table, endpoint.spId, endpoint.id);
      if (!stored?.enabled) {
        await releaseLeases(lease, probe);
        return stored ? "disabled" : "gone";
      }
      if (stored.version !== endpoint.version) {
        endpoint = stored;
        continue;
      }
      const end = await this.#attemptDelivery(next, batch, lease, { endpoint, secrets }, probe);
      if (end) return end;
      const { seq } = lease.position;
      batch = { ...batch, seq, events: batch.events.filter(({ place }) => place > seq) };
      await probe?.recordSuccess();
      if (probe) await hastenDeliveries(endpoint);
      probe = undefined;
      if (lease.position.heldUntil === 0) return "current";
    }
  }

  /** Makes an attempt. @returns undefined where it succeeded */
  async #attemptDelivery(
    { event, body, places }: NextDelivery,
    batch: EventBatch,
    lease: DeliveryLease,
    { endpoint, secrets }: { endpoint: Endpoint; secrets: readonly string[] },
    probe: DeliveryProbe | undefined,
  ): Promise<End | undefined> {
    const { shard } = this.#message;
    const { sendTo, random = Math.random } = this.#options;
    // Of the event that failed, which stands right behind the position; not of one behind it, where that is not wanted any more.
    const failures = places[0] === lease.position.seq + 1 ? findCurrentFailures(lease.position, endpoint) : null;
    const attempt = (failures?.attempt ?? 0) + 1;
    const made = await attemptDelivery(endpoint, secrets, event, body, attempt, {
      clock: this.#table.clock,
      sendTo,
    });
    if (made.error === null) {
      const reached = this.#advanced(batch, endpoint, [...lease.position.done, ...places]);
      const left = batch.events.filter(({ place }) => place > reached.seq);
      const isLast = left.length === 0 && !batch.isFull;
      await recordDelivery(this.#table, endpoint, shard, lease, made, {
        ...reached,
        heldUntil: isLast ? 0 : lease.renewed,
      });
      this.delivered++;
      return undefined;
    }
    this.failure = { error: made.error, status_code: made.status_code, attempt };
    const reached = this.#advanced(batch, endpoint, lease.position.done);
    const pause = await recordFailure(this.#table, endpoint, shard, lease, made, failures, reached, random);
    if (pause === null) return "disabled";
    await recordCircuitFailure(this.#table, endpoint, probe);
    const delaySeconds = Math.ceil(pause / 1_000);
    if (delaySeconds <= maxDelaySeconds) await requestDeliveries([this.#message], { delaySeconds });
    return "failed";
  }

  #next(batch: EventBatch, { position }: DeliveryLease, { eventTypes }: Endpoint): NextDelivery | undefined {
    return findNextDelivery(batch.events, position, eventTypes, this.#table.clock.now());
  }

  #advanced(batch: EventBatch, { eventTypes }: Endpoint, done: readonly number[]) {
    return advancePosition(batch.seq, batch.events, done, eventTypes, this.#table.clock.now());
  }

  #read(seq: number): Promise<EventBatch> {
    return readNextEvents(this.#table, this.#pk, seq, this.#options.eventsAtOnce);
  }

  #now(): number {
    return this.#table.clock.now().getTime();
  }
}

async function releaseLeases(lease: DeliveryLease, probe: DeliveryProbe | undefined): Promise<void> {
  await lease.release();
  await probe?.release();
}
