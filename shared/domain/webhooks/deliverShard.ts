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

/** The result of processing a message. */
export interface ShardResult {
  outcome:
    | SkipReason
    | "failed"
    | "handed over" // the time slice or the invocation ended; a new message continues
    | "taken over"; // another worker took the lease, or a replay reset the position
  delivered: number;
  /** the failed attempt, if the worker stopped after a failure */
  failure?: Pick<WebhookDelivery, "error" | "status_code" | "attempt">;
}

export interface DeliverOptions {
  /** No attempt begins after this instant. */
  deadline: Date;
  sendTo?: DeliverySender | undefined;
  /** Number of events read at once. Tests use fewer. */
  eventsAtOnce?: number;
  /** Returns numbers from 0 to below 1. */
  random?: () => number;
}

/**
 * After this time a worker stops, and a new message at the end of the queue continues the shard. Otherwise ten slow endpoints
 * with 16 shards each would occupy all workers.
 */
const timeSliceMs = 3_000;

/** Remaining lease time that an attempt needs. Covers the attempt, its writes, and the clock offset between two workers. */
const minAttemptLeaseMs = maxAttemptMs + 2 * maxClockOffsetMs;

/**
 * Delivers the pending events of a shard to an endpoint in order, until all are delivered, one delivery fails, or the time
 * slice ends. Messages may arrive at any time and more than once, because only one worker can have the lease. If a worker is
 * killed, at most one of its deliveries is not recorded; the next worker repeats this delivery.
 *
 * @throws ServiceError "unavailable" if the table or the service that unseals secrets cannot be reached; no event is lost
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
      // Workers of messages that arrived meanwhile could not get the lease. So this worker checks for events stored since its
      // last read.
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
      // After some errors, a write can still take effect later, for example if only its response was lost. Such a late write
      // fails if another worker has the lease.
      await releaseLeases(lease, probe);
      if (!(error instanceof LeaseLostError)) throw error;
      // If a replay reset the position, it also requested deliveries. But the message of the replay may have arrived while this
      // worker had the lease.
      await requestDeliveries([this.#message]);
      return "taken over";
    }
  }

  async #deliverAll(begun: StartedDelivery): Promise<End> {
    const { lease } = begun;
    let { endpoint, batch, probe } = begun;
    const turnEnds = this.#now() + timeSliceMs;
    for (;;) {
      // Every time slice delivers at least one event, however slow the endpoint is.
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
      // Read the endpoint immediately before the attempt. Once a caller has disabled, deleted or changed it, no attempt may use
      // the old URL or secrets.
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

  /** @returns undefined if the attempt succeeded */
  async #attemptDelivery(
    { event, body, places }: NextDelivery,
    batch: EventBatch,
    lease: DeliveryLease,
    { endpoint, secrets }: { endpoint: Endpoint; secrets: readonly string[] },
    probe: DeliveryProbe | undefined,
  ): Promise<End | undefined> {
    const { shard } = this.#message;
    const { sendTo, random = Math.random } = this.#options;
    // The stored failures belong to the event directly after the position. If the endpoint no longer wants this event, a later
    // event is delivered next, and the failures do not count for the later event.
    const failures = places[0] === lease.position.seq + 1 ? findCurrentFailures(lease.position, endpoint) : null;
    const attempt = (failures?.attempt ?? 0) + 1;
    const made = await attemptDelivery(endpoint, secrets, event, body, attempt, { clock: this.#table.clock, sendTo });
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
