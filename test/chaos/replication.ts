import { v5 as uuid } from "uuid";
import { recordKinds } from "../../shared/kinds.ts";
import type { findConnector } from "../../shared/pos/connectors.ts";
import { type Dice, dice } from "../../shared/pos/sandbox/dice.ts";
import type { ReplicationState } from "../../shared/replication/lease.ts";
import { replicationMessage } from "../../shared/replication/message.ts";
import { planReplications } from "../../shared/replication/planReplications.ts";
import { replicateCrb } from "../../shared/replication/replicateCrb.ts";
import type { Table } from "../../shared/table/client.ts";
import { replicationKey } from "../../shared/table/keys.ts";
import { type FakePos, type PosName, startFakePos } from "../shared/pos/fakes/fakePos.ts";
import { seededFaults } from "../shared/pos/fakes/seededFaults.ts";
import type { ShopPackage } from "../shared/pos/fakes/shop.ts";
import { TestClock } from "../shared/table/rankedList/listUnderTest.ts";
import { connectCrb } from "./connectCrb.ts";
import { contentOf, differences, faultsOfLists, scan } from "./tableState.ts";
import { type Fate, type Sent, Workers } from "./workers.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Longer than any lease stands, and any pause after a failure. */
const longRest = 26 * hour;
const everyKind = 15 * 60;
const intervals = {
  location: everyKind,
  product: everyKind,
  customer: everyKind,
  inventory: everyKind,
  sale: everyKind,
};
/** What SQS does with a message that is never worked off: it gives it up. */
const mostReceives = 5;
const shopSize = { customers: 12, products: 6, packages: 8, sales: 20 };

/** What happened in a run, and what it came to. */
export interface ReplicationChaos {
  calls: number;
  kills: number;
  /** how often a worker lost its turn to another that was at work at the same time */
  interruptions: number;
  /** requests to which something happened on their way */
  faults: number;
  duplicates: number;
  /** how often a pull of inventory, all of which must be seen before any has vanished, was left to another worker */
  handovers: number;
  /** records and entries of the table at the end */
  items: number;
  /** in what the table differs from that of a replication without faults; empty when all is well */
  wrong: string[];
}

/** Two empty tables: for the replication that chaos comes to, and for the other one. */
export interface ChaosTables {
  disturbed: Table;
  calm: Table;
}

/**
 * Replicates a POS into two tables: into one with everything going wrong that can, into the other without a fault; in
 * the end both must hold the same. Everything follows from the seed.
 *
 * Days on which things go wrong end with a calm hour, when the planner alone must bring the table up to date.
 */
export async function replicationChaos(seed: number, pos: PosName, tables: ChaosTables): Promise<ReplicationChaos> {
  const { random } = Math;
  const chance = dice("replication", pos, seed);
  Math.random = () => chance.between(0, 999_999) / 1_000_000;
  const clock = new TestClock("2026-03-10T19:30:00.000Z");
  const skew = chance.pick([0, 0, 0, -20, 20]) * minute;
  const fake = await startFakePos(pos, `chaos ${seed}`, shopSize, () => new Date(clock.time + skew));
  // What was sold lies in fewer days, since most POS systems are asked for day after day.
  for (const sale of fake.shop.sales) {
    for (const name of ["at", "changedAt"] as const)
      sale[name] = clock.time - Math.round((clock.time - sale[name]) / 6);
  }
  const world = new World(seed, chance, clock, fake, tables.disturbed);
  const reference = new World(seed, chance, clock, fake, tables.calm);
  try {
    await world.begin();
    await reference.begin();
    const wrong: string[] = [];
    for (let days = chance.pick([1, 1, 2]); days > 0; days--) {
      await world.disturbedDay(days);
      // Twice: what came before that by which it is completed comes again.
      for (let times = 2; times > 0; times--) {
        clock.advance(longRest);
        wrong.push(...(await world.settle()), ...(await reference.settle()));
        world.removePackages();
      }
    }
    const [found, expected] = [await scan(tables.disturbed), await scan(tables.calm)];
    const content = contentOf(expected, world.crbId);
    wrong.push(...differences(contentOf(found, world.crbId), content));
    wrong.push(...(await faultsOfLists(tables.disturbed, found, world.crbId)));
    return { ...world.happened, items: content.size, wrong };
  } finally {
    Math.random = random;
    await fake.server.close();
  }
}

/** A table that a POS is replicated into, and the queue that asks for it. */
class World {
  readonly crbId: string;
  readonly #seed: number;
  readonly #chance: Dice;
  readonly #clock: TestClock;
  readonly #fake: FakePos;
  readonly #table: Table;
  readonly #workers: Workers;
  #messages: (Sent & { received: number })[] = [];
  #faults = 0;
  #duplicates = 0;
  #handovers = 0;
  #removed: ShopPackage[] = [];

  constructor(seed: number, chance: Dice, clock: TestClock, fake: FakePos, table: Table) {
    this.crbId = uuid(`${seed}`, fake.connection.crbId);
    this.#seed = seed;
    this.#chance = chance;
    this.#clock = clock;
    this.#fake = fake;
    this.#table = table;
    this.#workers = new Workers(clock, chance, table);
    this.#workers.onInterruption = () => clock.advance(chance.pick([0, second, 61 * second, 61 * second]));
  }

  get happened() {
    const { calls, kills, interruptions } = this.#workers;
    return {
      calls,
      kills,
      interruptions,
      faults: this.#faults,
      duplicates: this.#duplicates,
      handovers: this.#handovers,
    };
  }

  /** Stores the CRB with its connection. */
  async begin(): Promise<void> {
    await connectCrb(this.#table, this.crbId, this.#fake.connection, this.#clock);
    this.#clock.advance(minute);
  }

  /** A day of faults, kills, messages out of order and more than once, two workers at once, and a shop that goes on. */
  async disturbedDay(day: number): Promise<void> {
    const chance = this.#chance;
    const { server, shop } = this.#fake;
    const { removePackage } = shop;
    // Put off until all is settled: of what comes and goes between two pulls only one of the tables may know.
    shop.removePackage = (removed) => void this.#removed.push(removed);
    const faults = seededFaults(`${this.#seed} ${day}`, chance.pick([0, 5, 15, 30]));
    server.faults = (request) => {
      const fault = faults(request);
      if (fault) this.#faults++;
      return fault;
    };
    server.beforeAnswer = () => {
      if (chance.percent(2)) shop.change();
    };
    const { release } = this.#workers.watch();
    for (let steps = chance.between(5, 10); steps > 0; steps--) {
      if (chance.percent(40) || this.#messages.length === 0) {
        this.#clock.advance(chance.pick([minute, 20 * minute, 2 * hour]));
        await this.#workers.run([{ work: () => this.#plan(), fate: this.#fate(8) }]);
      }
      for (let changes = chance.between(0, 2); changes > 0; changes--) shop.change();
      await this.#receive(chance.percent(35) ? 2 : 1);
      this.#clock.advance(chance.pick([0, second, 30 * second, 61 * second, 10 * minute]));
    }
    release();
    server.faults = () => undefined;
    server.beforeAnswer = () => undefined;
    shop.removePackage = removePackage;
  }

  /**
   * Works off what is in the queue and what the planner puts there, in order and without a fault.
   *
   * @returns what was not replicated to its end by that
   */
  async settle(): Promise<string[]> {
    const from = this.#clock.now().toISOString();
    const { release } = this.#workers.watch();
    await this.#workers.run([{ work: () => this.#plan() }]);
    for (let most = 100; most > 0; most--) {
      this.#take();
      const message = this.#messages.shift();
      if (!message) break;
      this.#clock.time = Math.max(this.#clock.time, message.readyAt);
      const [isDone] = await this.#workers.run([{ work: () => this.#work(message.body, hour) }]);
      if (!isDone) this.#messages.push(message);
    }
    release();
    const states = await this.#table.batchGet(
      recordKinds.map((kind) => replicationKey(this.crbId, kind)),
      { consistent: true },
    );
    const unsettled = [...states.values()].filter((item) => {
      const { position, error, succeeded_at } = item as unknown as ReplicationState;
      return position !== null || error !== null || (succeeded_at ?? "") < from;
    });
    return [
      ...(states.size < recordKinds.length ? [`${recordKinds.length - states.size} kinds were never replicated`] : []),
      ...unsettled.map(({ seen, ...state }) => `not replicated to its end: ${JSON.stringify(state)}`),
    ];
  }

  /** Takes out of the shop what would have gone during the day. */
  removePackages(): void {
    for (const removed of new Set(this.#removed.splice(0))) this.#fake.shop.removePackage(removed);
  }

  /** Two at most of the messages, in any order; they stay when they are not worked off, and sometimes even then. */
  async #receive(most: number): Promise<void> {
    const chance = this.#chance;
    this.#take();
    const jobs = [];
    for (let i = 0; i < most && this.#messages.length > 0; i++) {
      const at = chance.between(0, this.#messages.length - 1);
      const [message] = this.#messages.splice(at, 1);
      if (!message) break;
      if (chance.percent(25)) {
        this.#duplicates++;
        this.#messages.unshift({ ...message });
      }
      jobs.push(message);
    }
    // Mostly two of the same, who are in each other's way.
    if (jobs.length === 2 && jobs[0] && chance.percent(60)) jobs[1] = { ...jobs[0] };
    const interrupted = jobs.length > 1 ? chance.pick([10, 30]) : 0;
    const done = await this.#workers.run(
      jobs.map(({ body }) => ({
        work: () => this.#work(body, this.#deadline()),
        fate: { ...this.#fate(50), interrupted },
      })),
    );
    for (const [i, message] of jobs.entries()) {
      if (!done[i] && message.received + 1 < mostReceives) {
        this.#messages.push({ ...message, received: message.received + 1 });
      }
    }
  }

  /** What workers have sent since. */
  #take(): void {
    this.#messages.push(...this.#workers.sent.splice(0).map((sent) => ({ ...sent, received: 0 })));
  }

  #fate(mostCalls: number): Fate {
    return this.#chance.percent(35) ? { calls: this.#chance.between(0, mostCalls) } : {};
  }

  /** How many milliseconds a worker has. */
  #deadline(): number {
    return this.#chance.pick([0, 5 * second, 10 * minute, hour]);
  }

  #plan(): Promise<unknown> {
    const { clock } = this.#workers;
    return planReplications(this.#table, { intervals, clock, random: Math.random });
  }

  /** As the worker's function does, in a process of its own. */
  async #work(body: string, limit: number): Promise<void> {
    const { clock } = this.#workers;
    const message = replicationMessage.parse(JSON.parse(body));
    const deadline = new Date(this.#clock.time + limit);
    // Few to a page, mostly: what comes in one piece is handed over in the middle too.
    const connector = this.#fake.connector({ clock, listPageSize: this.#chance.pick([2, 3, 250]) });
    const connectorOf: typeof findConnector = () => connector;
    const { outcome } = await replicateCrb(this.#table, message, { deadline, clock, connectorOf });
    if (message.kind === "inventory" && outcome === "unfinished") this.#handovers++;
  }
}
