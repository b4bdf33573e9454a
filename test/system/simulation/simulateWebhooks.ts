import { randomUUID } from "node:crypto";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { createEndpoint } from "../../../shared/domain/webhooks/createEndpoint.ts";
import { readDeliveries } from "../../../shared/domain/webhooks/deliveryLog.ts";
import { readPositions, readProgress } from "../../../shared/domain/webhooks/deliveryProgress.ts";
import type { Endpoint } from "../../../shared/domain/webhooks/endpoint.ts";
import { updateEndpoint } from "../../../shared/domain/webhooks/endpointChanges.ts";
import { processMessage } from "../../../shared/domain/webhooks/processMessage.ts";
import { replayEndpoint } from "../../../shared/domain/webhooks/replayEndpoint.ts";
import { sweepEndpoints } from "../../../shared/domain/webhooks/sweepEndpoints.ts";
import { webhookMessage } from "../../../shared/domain/webhooks/webhookMessage.ts";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import { maxClockOffsetMs, Table, unchanged } from "../../../shared/store/client.ts";
import { putServiceProvider } from "../../../shared/store/crbs.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import { readStoredEvents } from "../../../shared/store/eventLog/findFirstRetainedEvent.ts";
import type { NewEvent } from "../../../shared/store/eventLog/newEvent.ts";
import { eventRetentionSeconds, readShards } from "../../../shared/store/eventLog/sequenceEvents.ts";
import { eventsPartition } from "../../../shared/store/keys/events.ts";
import { retryOnConflict } from "../../../shared/store/retryOnConflict.ts";
import { crbOfShard, eventsOf, type ReceivedEvent } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { numberedEvent } from "../../shared/store/eventLog/numberedEvent.ts";
import { accidents } from "../realRules/figures.ts";
import { type Message, MessageQueue } from "../realRules/messageQueue.ts";
import { RealRules } from "../realRules/realRules.ts";
import { findDeliveryFaults } from "./findDeliveryFaults.ts";
import { Outages } from "./outages.ts";
import { Receivers } from "./receivers.ts";

const second = 1_000;
const minute = 60 * second;
/** Number of sweeps, including pauses of an hour, within which all events must be delivered once failures end. */
const maxCalmSweeps = 20;

/** The events of a history, and its faults; empty if there are none. */
export interface SimulatedWebhooks {
  wrong: string[];
  events: number;
  attempts: number;
  failed: number;
  merged: number;
  kills: number;
  replays: number;
  log: string;
}

/**
 * One history of a service provider's webhook endpoints by DynamoDB's real rules. Writers, workers and sweepers run
 * concurrently and are killed. The queue loses and repeats messages; receivers fail, hang and lie. Endpoints are
 * disabled, enabled, changed to other types, and set back. In the end each endpoint must have received every wanted
 * event, in order.
 *
 * @param bare an empty table on an engine, through a client without rules
 * @param newClient makes another client of the same table
 */
export async function simulateWebhooks(
  seed: number,
  bare: Table,
  newClient: () => Table["client"],
): Promise<SimulatedWebhooks> {
  const chance = dice("webhooks", seed);
  const world = new RealRules({
    seed,
    skew: chance.pick([1_000, 4_000]),
    ...(chance.percent(60) && { ...accidents, throttled: 2, lostAnswers: 3, lateWrites: 2 }),
    ...(chance.percent(30) && { commitWindow: 100 }),
    ...(chance.percent(30) && { stalls: 3, stall: 60 * second }),
  });
  const table = new Table(bare.name, newClient(), world.clock);
  world.attach(table);
  const history = new History(chance, world, table, bare);
  await history.queue.during(world, () => history.run());
  const { attempts, failed } = history.receivers;
  const { wrong, kills, replays, events, merged } = history;
  table.client.destroy();
  return { wrong, attempts, failed, kills, replays, events, merged, log: world.history() };
}

class History {
  readonly wrong: string[] = [];
  readonly #outages = new Outages();
  kills = 0;
  replays = 0;
  events = 0;
  merged = 0;
  readonly queue: MessageQueue;
  readonly receivers: Receivers;
  readonly #chance: Dice;
  readonly #world: RealRules;
  readonly #table: Table;
  readonly #bare: Table;
  readonly #spId = randomUUID();
  /** Three are in one shard, so that their events are mixed. */
  readonly #crbs = [3, 3, 3, 9, 0].map(crbOfShard);
  #endpoints: Endpoint[] = [];
  /** Ids of events that a replay skipped, so that they need not arrive. */
  readonly #skipped = new Map<string, Set<string>>();
  /**
   * The last replay of each endpoint, by the endpoint's id: the number of events received before it, and the events that
   * the service must deliver again, each in its own delivery.
   */
  readonly #replayed = new Map<string, { taken: number; events: ReceivedEvent[] }>();
  #positions = new Map<string, number[]>();
  /** Small, so that pending events take several reads. */
  readonly #eventsAtOnce: number;

  constructor(chance: Dice, world: RealRules, table: Table, bare: Table) {
    this.#chance = chance;
    this.#world = world;
    this.#table = table;
    this.#bare = new Table(bare.name, bare.client, world.clock);
    this.queue = new MessageQueue(chance);
    this.#eventsAtOnce = chance.pick([2, 4, 100]);
    this.receivers = new Receivers(chance, world);
  }

  async run(): Promise<void> {
    const types = [[], ["records.changed"], ["crb.updated", "endpoint.disabled"]] as const;
    await putServiceProvider(this.#bare, { ...demoServiceProvider, id: this.#spId });
    for (const [i, eventTypes] of types.entries()) {
      const sent = { url: `https://receiver-${i}.example.com/`, description: "", eventTypes };
      this.#endpoints.push((await createEndpoint(this.#bare, this.#spId, sent)).endpoint);
    }
    for (let round = 0; round < this.#chance.between(2, 5); round++) {
      await this.#round(round);
      await this.#world.clock.sleep(this.#chance.pick([second, 30 * second, 3 * minute, 90 * minute]));
    }
    await this.#comesToRest();
    this.wrong.push(...this.#outages.faults);
    if (this.wrong.length === 0) await this.#check();
  }

  async #round(round: number): Promise<void> {
    const chance = this.#chance;
    this.receivers.change(this.#endpoints.map(({ url }) => url));
    const some = (name: string, count: number, maxCalls: number, work: (i: number) => Promise<unknown>) =>
      Array.from({ length: count }, (_, i) => ({
        name: `${name} ${round}.${i}`,
        work: () => work(i),
        ...(chance.percent(35) && { crashAfterCalls: chance.between(0, maxCalls) }),
      }));
    const outcomes = await this.#world.run([
      ...some("writer", this.#crbs.length, 40, (i) => this.#write(this.#crbs[i] as string)),
      ...some("worker", chance.between(2, 6), 60, () => this.#work()),
      ...some("sweeper", chance.pick([1, 1, 2]), 60, () => this.#sweep()),
      ...some("operator", chance.percent(40) ? 1 : 0, 60, () => this.#replay()),
    ]);
    this.kills += outcomes.filter(({ killed }) => killed).length;
    for (const { name, error } of outcomes)
      if (error && !this.#outages.take(error)) this.wrong.push(`${name}: ${error}`);
    await this.#notBack();
    if (chance.percent(30)) await this.#operate();
  }

  /** An event carries a number of its CRB; changes of records use two kinds. */
  async #write(crbId: string): Promise<void> {
    const { clock } = this.#world;
    for (let n = this.#chance.between(1, 5); n > 0; n--) {
      const key = { pk: `COUNTER of ${crbId}`, sk: "COUNTER" };
      await retryOnConflict(clock, async () => {
        const stored = (await this.#table.get(key, { consistent: true }))?.number as number | undefined;
        const number = (stored ?? 0) + 1;
        const write = this.#table.putWrite({ ...key, number }, unchanged("number", stored));
        const kind = number % 7 < 5 ? "sales" : "customers";
        const data = { kind, cursor_before: `${crbId} ${number}` } as const;
        const event: NewEvent =
          number % 3 > 0
            ? { type: "records.changed", spId: this.#spId, crbId, data }
            : numberedEvent(this.#spId, crbId, number);
        await commitWithEvents(this.#table, { writes: [write], events: [event] }, clock);
      }).catch((error) => {
        if (!this.#outages.take(error)) throw error;
      });
      await clock.sleep(this.#chance.pick([10, 100, second, 5 * second]));
    }
  }

  async #work(): Promise<void> {
    const { clock } = this.#world;
    for (let receives = this.#chance.between(5, 20); receives > 0; receives--) {
      const message = this.queue.receive();
      if (message) await this.#processMessage(message, this.#chance.percent(20) ? second : minute);
      else await clock.sleep(this.#chance.between(50, 3 * second));
    }
  }

  async #processMessage(message: Message, milliseconds: number): Promise<void> {
    const { clock } = this.#world;
    const deadline = new Date(clock.now().getTime() + milliseconds);
    const sendTo = (...sending: Parameters<Receivers["receive"]>) => this.receivers.receive(...sending);
    try {
      await processMessage(this.#table, webhookMessage.parse(JSON.parse(message.body)), {
        deadline,
        sendTo,
        eventsAtOnce: this.#eventsAtOnce,
      });
      this.queue.done(message);
    } catch (error) {
      if (!this.#outages.take(error)) throw error;
    }
  }

  async #sweep(): Promise<void> {
    const { clock } = this.#world;
    await sweepEndpoints(this.#table, { deadline: new Date(clock.now().getTime() + minute) });
  }

  /** Sets an endpoint back during deliveries. */
  async #replay(): Promise<void> {
    const { clock } = this.#world;
    await clock.sleep(this.#chance.between(0, 5 * second));
    const { id, url } = this.#chance.pick(this.#endpoints as [Endpoint]);
    const events = await eventsOf(this.#bare, this.#spId);
    const from = this.#chance.percent(50)
      ? await this.#startAtPosition(id)
      : new Date(this.#world.time - this.#chance.pick([1, 10, 60]) * minute).toISOString();
    const skipped = this.#skipped.get(id) ?? new Set();
    for (const { date, id } of events) if (date < from) skipped.add(id);
    this.#skipped.set(id, skipped);
    this.#positions.delete(id);
    this.#replayed.delete(id);
    const taken = this.receivers.taken.get(url)?.length ?? 0;
    try {
      await replayEndpoint(this.#table, this.#spId, id, new Date(from));
    } catch (error) {
      if (!this.#outages.take(error)) throw error;
      return;
    }
    this.replays++;
    this.#replayed.set(id, { taken, events: events.filter(({ date }) => date >= from) });
  }

  /** A start of a replay, ISO 8601, that leaves the position of a shard where it is, if it can. */
  async #startAtPosition(endpointId: string): Promise<string> {
    const positions = [...(await readPositions(this.#bare, endpointId)).entries()];
    const merged = positions.filter(([, { done }]) => done.length > 0);
    const [shard, { seq }] = this.#chance.pick((merged[0] ? merged : positions) as [(typeof positions)[number]]);
    const [next] = await readStoredEvents(this.#bare, eventsPartition(this.#spId, shard), { from: seq + 1, limit: 1 });
    // A replay starts a minute before it, or some seconds if it is about the present.
    const first = (next?.expires ?? Number.POSITIVE_INFINITY) - eventRetentionSeconds;
    const [long, short] = [first * second + minute - 1, first * second + maxClockOffsetMs + second - 1];
    // Before the present by every clock, since a replay from now on skips all pending events.
    const latest = this.#world.time - maxClockOffsetMs;
    return new Date([long, short, latest - minute].find((start) => start < latest) as number).toISOString();
  }

  /** The service provider's changes to its endpoints, without concurrent accidents. */
  async #operate(): Promise<void> {
    const endpoint = this.#chance.pick(this.#endpoints as [Endpoint]);
    const { id } = endpoint;
    const now = this.#world.clock.now();
    this.replays++;
    if (this.#chance.percent(50)) {
      await updateEndpoint(this.#bare, this.#spId, id, { enabled: false });
      await this.#world.clock.sleep(minute);
      await updateEndpoint(this.#bare, this.#spId, id, { enabled: true });
      return;
    }
    const from = this.#chance.percent(50) ? now : new Date(now.getTime() - 10 * minute);
    const skipped = this.#skipped.get(id) ?? new Set();
    // Events that have waited longer are not delivered either.
    for (const event of await eventsOf(this.#bare, this.#spId)) {
      if (event.date < from.toISOString() || from === now) skipped.add(event.id);
    }
    this.#skipped.set(id, skipped);
    this.#replayed.delete(id);
    await replayEndpoint(this.#bare, this.#spId, id, from);
    this.#positions.delete(id);
  }

  /** A position moves back only by a replay. */
  async #notBack(): Promise<void> {
    for (const { id } of this.#endpoints) {
      const now = (await readPositions(this.#bare, id)).map(({ seq }) => seq);
      const before = this.#positions.get(id) ?? [];
      if (before.some((seq, shard) => (now[shard] ?? 0) < seq)) this.wrong.push(`went back: ${before} to ${now}`);
      this.#positions.set(id, now);
    }
  }

  async #comesToRest(): Promise<void> {
    this.#world.calm();
    this.queue.isCalm = true;
    this.receivers.calm();
    for (let sweeps = 1; sweeps <= maxCalmSweeps; sweeps++) {
      await this.#world.clock.sleep(sweeps < 4 ? minute : 10 * minute);
      // An earlier burst of throttling is over.
      this.#outages.isCalm = true;
      const calm = { name: `calm ${sweeps}`, work: () => this.#calmMinute() };
      const [{ error } = {}] = await this.#world.run([calm]);
      if (error && !this.#outages.take(error)) this.wrong.push(`calm: ${error}`);
      await this.#notBack();
      const heads = await readShards(this.#bare, this.#spId);
      const left = await Promise.all(this.#endpoints.map((one) => readProgress(this.#bare, one, heads)));
      if (left.every(({ status }) => status === "current")) return;
      if (sweeps === maxCalmSweeps) this.wrong.push(`never delivered: ${JSON.stringify(left)}`);
    }
  }

  async #calmMinute(): Promise<void> {
    await this.#sweep();
    const until = this.#world.clock.now().getTime() + minute;
    while ((this.queue.nextAt ?? until) < until) {
      await this.#world.clock.sleep(Math.max(1, (this.queue.nextAt ?? 0) - this.#world.clock.now().getTime()));
      const message = this.queue.receive();
      if (message) await this.#processMessage(message, minute);
    }
  }

  async #check(): Promise<void> {
    const all = await eventsOf(this.#bare, this.#spId);
    this.events = all.length;
    for (const { id, url, eventTypes } of this.#endpoints) {
      const wanted = all.filter(({ type }) => eventTypes.length === 0 || eventTypes.includes(type as never));
      const taken = this.receivers.taken.get(url) ?? [];
      const skipped = this.#skipped.get(id) ?? new Set();
      const { faults, merged } = findDeliveryFaults(wanted, taken, skipped);
      this.wrong.push(...faults.map((fault) => `${url}: ${fault}`));
      // Receivers know a delivery by its id, and skip a second one.
      const firsts = taken.filter((event, i) => taken.findIndex(({ id }) => id === event.id) === i);
      const lost = findDeliveryFaults(wanted, firsts, skipped).faults.filter((fault) => fault.startsWith("never came"));
      this.wrong.push(...lost.map((fault) => `${url}: to a receiver that skips known ids: ${fault}`));
      this.merged += merged;
      const replayed = this.#replayed.get(id);
      if (replayed) {
        // An event can come again merged into a later one, as for the first time.
        const again = new Set(replayed.events.map((event) => event.id));
        const others = new Set(wanted.flatMap((event) => (again.has(event.id) ? [] : [event.id])));
        const after = findDeliveryFaults(wanted, taken.slice(replayed.taken), others);
        const missing = after.faults.filter((fault) => fault.startsWith("never came"));
        this.wrong.push(...missing.map((fault) => `${url}: after a replay: ${fault}`));
      }
      this.wrong.push(...(await this.#faultsOfLog(id)));
    }
  }

  /** The totals agree with the logged attempts, and each attempt is logged once. */
  async #faultsOfLog(id: string): Promise<string[]> {
    const found: string[] = [];
    let total = 0;
    do {
      const page = await readDeliveries(this.#bare, id, { offset: found.length, limit: 7 });
      total = page.total;
      if (page.records.length === 0) break;
      found.push(...page.records);
    } while (found.length < total);
    const attempts = found.map((text) => JSON.parse(text) as { id: string; date: string });
    const isSorted = attempts.every(({ date }, i) => i === 0 || date <= (attempts[i - 1]?.date ?? ""));
    return [
      ...(found.length === total ? [] : [`log: ${found.length} of ${total}`]),
      ...(new Set(attempts.map((one) => one.id)).size === total ? [] : ["log: an attempt twice"]),
      ...(isSorted ? [] : ["log: not newest first"]),
    ];
  }
}
