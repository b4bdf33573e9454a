import type { WebhookDelivery } from "../api/schemas/webhookEndpoint.ts";
import { mostDelaySeconds } from "../queue/sendMessages.ts";
import { itemId, mostClockOffset, type Table } from "../table/client.ts";
import { eventsPartition, webhookPositionKey, webhookTroubleKey } from "../table/keys.ts";
import { LeaseLostError } from "../table/rankedList/fence.ts";
import { attemptDelivery, type Send } from "./attempt.ts";
import { type Endpoint, readEndpoint } from "./endpoint.ts";
import type { WebhookMessage } from "./message.ts";
import { advanced, type NextDelivery, nextDelivery } from "./nextDelivery.ts";
import { type NextEvents, nextEvents } from "./nextEvents.ts";
import { failuresOf, HeldPosition, toPosition } from "./position.ts";
import { hastenDeliveries, requestDeliveries } from "./queue.ts";
import { recordDelivery, recordFailure } from "./recordAttempt.ts";
import { longestAttempt } from "./send.ts";
import { isInTrouble, noteTrouble, OneAttempt } from "./trouble.ts";

/** A message that is about one endpoint. */
export type ShardMessage = WebhookMessage & { endpoint_id: string };

/** What came of a message. */
export interface ShardResult {
  outcome:
    | "current" // all is delivered
    | "held" // somebody else is at it
    | "waits" // the next attempt is not due
    | "failed"
    | "disabled" // by this attempt, or before
    | "gone" // there is no such endpoint
    | "handed over" // time was too short
    | "taken over"; // somebody else has, or the position was set anew
  delivered: number;
  /** of the attempt that failed */
  failure?: Pick<WebhookDelivery, "error" | "status_code" | "attempt">;
}

export interface DeliverOptions {
  /** No attempt begins after it. */
  deadline: Date;
  sendTo?: Send | undefined;
  /** how many events are read at once; fewer in tests */
  eventsAtOnce?: number;
  /** gives numbers from 0 to below 1 */
  random?: () => number;
}

/** An attempt, and what is written before and after it, by clocks that are not quite right. */
const attemptUnderLease = longestAttempt + 2 * mostClockOffset;

/**
 * Delivers to an endpoint what a shard of the events holds for it, one event after the other, until all is delivered, one fails,
 * or the time is over. Any message may start it, at any time, and twice: it does what there is to do, alone, under the lease of
 * the position. Whoever is killed leaves at most an event that was delivered and not noted, and comes again.
 *
 * @throws ServiceError "unavailable" when the table, or what opens secrets, cannot be reached; nothing is lost by that
 */
export async function deliverShard(table: Table, message: ShardMessage, options: DeliverOptions): Promise<ShardResult> {
  const run = new ShardRun(table, message, options);
  const result = await run.work();
  return { outcome: result, delivered: run.delivered, ...(run.failure && { failure: run.failure }) };
}

type End = ShardResult["outcome"];

/** What a worker has when it begins. */
interface Begun {
  endpoint: Endpoint;
  held: HeldPosition;
  /** where the endpoint is in trouble */
  only: OneAttempt | undefined;
}

class ShardRun {
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
      const begun = await this.#begin();
      if (typeof begun === "string") return begun;
      const { held } = begun;
      const end = await this.#underLease(begun);
      if (end !== "current") return end;
      // Whoever was told meanwhile found the lease held: what came after the last look is this worker's.
      const { seq } = held.position;
      const later = await this.#read(seq);
      if (later.seq === seq && later.events.length === 0) return end;
    }
  }

  /** Takes the position, where there is something to try. */
  async #begin(): Promise<End | Begun> {
    const { sp_id, endpoint_id, shard } = this.#message;
    const endpoint = await readEndpoint(this.#table, sp_id, endpoint_id);
    if (!endpoint) return "gone";
    if (!endpoint.enabled) return "disabled";
    const keys = [webhookPositionKey(endpoint_id, shard), webhookTroubleKey(endpoint_id)] as const;
    const items = await this.#table.batchGet(keys, { consistent: true });
    this.#table.checkClock();
    const item = items.get(itemId(keys[0]));
    if (!item) return "gone";
    const position = toPosition(item);
    const now = this.#now();
    if (position.heldUntil > now) return "held";
    const failures = failuresOf(position, endpoint);
    if (failures && Date.parse(failures.nextAt) > now) return "waits";
    const trouble = items.get(itemId(keys[1]));
    const only = isInTrouble(trouble, endpoint) ? await OneAttempt.take(this.#table, endpoint_id, trouble) : undefined;
    if (isInTrouble(trouble, endpoint) && !only) return "held";
    const held = await HeldPosition.take(this.#table, endpoint_id, shard, position);
    if (held) return { endpoint, held, only };
    await only?.release();
    return "held";
  }

  async #underLease(begun: Begun): Promise<End> {
    const { held, only } = begun;
    try {
      return await this.#deliverAll(begun);
    } catch (error) {
      // Whether or not something was stored that nobody answered: what still arrives is refused once somebody else holds it.
      await giveBack(held, only);
      if (!(error instanceof LeaseLostError)) throw error;
      // Whoever has set the position anew has asked for deliveries, maybe while this worker held it.
      await requestDeliveries([this.#message]);
      return "taken over";
    }
  }

  async #deliverAll(begun: Begun): Promise<End> {
    const { held } = begun;
    let { endpoint, only } = begun;
    let batch = await this.#read(held.position.seq);
    for (;;) {
      if (this.#now() >= this.#options.deadline.getTime()) {
        await giveBack(held, only);
        await requestDeliveries([this.#message]);
        return "handed over";
      }
      const next = this.#next(batch, held, endpoint);
      if (!next) {
        const reached = this.#advanced(batch, endpoint, held.position.done);
        await held.set({ ...reached, failures: null, heldUntil: batch.isFull ? held.renewed : 0 });
        if (!batch.isFull) {
          await only?.release();
          return "current";
        }
        batch = await this.#read(reached.seq);
        continue;
      }
      if (!held.outlasts(attemptUnderLease)) await held.set({ heldUntil: held.renewed });
      // At the last moment: after the answer that disables or deletes an endpoint, or leads it elsewhere, nothing begins.
      const stored = await readEndpoint(this.#table, endpoint.spId, endpoint.id);
      if (!stored?.enabled) {
        await giveBack(held, only);
        return stored ? "disabled" : "gone";
      }
      if (stored.version !== endpoint.version) {
        endpoint = stored;
        continue;
      }
      const end = await this.#deliver(next, batch, held, endpoint, only);
      if (end) return end;
      const { seq } = held.position;
      batch = { ...batch, seq, events: batch.events.filter(({ place }) => place > seq) };
      await only?.succeeded();
      if (only) await hastenDeliveries(endpoint);
      only = undefined;
      if (held.position.heldUntil === 0) return "current";
    }
  }

  /** Makes an attempt. @returns undefined where it succeeded */
  async #deliver(
    { event, body, places }: NextDelivery,
    batch: NextEvents,
    held: HeldPosition,
    endpoint: Endpoint,
    only: OneAttempt | undefined,
  ): Promise<End | undefined> {
    const { shard } = this.#message;
    const { sendTo, random = Math.random } = this.#options;
    // Of the event that failed, which stands right behind the position; not of one behind it, where that is not wanted any more.
    const failures = places[0] === held.position.seq + 1 ? failuresOf(held.position, endpoint) : null;
    const attempt = (failures?.attempt ?? 0) + 1;
    const made = await attemptDelivery(endpoint, event, body, attempt, { clock: this.#table.clock, sendTo });
    if (made.error === null) {
      const reached = this.#advanced(batch, endpoint, [...held.position.done, ...places]);
      const left = batch.events.filter(({ place }) => place > reached.seq);
      const isLast = left.length === 0 && !batch.isFull;
      await recordDelivery(this.#table, endpoint, shard, held, made, {
        ...reached,
        heldUntil: isLast ? 0 : held.renewed,
      });
      this.delivered++;
      return undefined;
    }
    this.failure = { error: made.error, status_code: made.status_code, attempt };
    const reached = this.#advanced(batch, endpoint, held.position.done);
    const pause = await recordFailure(this.#table, endpoint, shard, held, made, failures, reached, random);
    if (pause === null) return "disabled";
    await noteTrouble(this.#table, endpoint, only);
    const delaySeconds = Math.ceil(pause / 1_000);
    if (delaySeconds <= mostDelaySeconds) await requestDeliveries([this.#message], { delaySeconds });
    return "failed";
  }

  #next(batch: NextEvents, { position }: HeldPosition, { eventTypes }: Endpoint): NextDelivery | undefined {
    return nextDelivery(batch.events, position, eventTypes, this.#table.clock.now());
  }

  #advanced(batch: NextEvents, { eventTypes }: Endpoint, done: readonly number[]) {
    return advanced(batch.seq, batch.events, done, eventTypes, this.#table.clock.now());
  }

  #read(seq: number): Promise<NextEvents> {
    return nextEvents(this.#table, this.#pk, seq, this.#options.eventsAtOnce);
  }

  #now(): number {
    return this.#table.clock.now().getTime();
  }
}

async function giveBack(held: HeldPosition, only: OneAttempt | undefined): Promise<void> {
  await held.release();
  await only?.release();
}
