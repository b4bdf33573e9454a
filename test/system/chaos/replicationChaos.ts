import { v5 as uuid } from "uuid";
import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { lacks } from "../../../shared/api/pos/posTypes.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { planReplications } from "../../../shared/domain/replication/planReplications.ts";
import { replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import { replicationMessage } from "../../../shared/domain/replication/replicationMessage.ts";
import type { ReplicationState } from "../../../shared/domain/replication/replicationState.ts";
import type { Connection, Connector, PullRequest } from "../../../shared/pos/connector.ts";
import type { findConnector } from "../../../shared/pos/findConnector.ts";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import { Table } from "../../../shared/store/client.ts";
import { entriesPartition } from "../../../shared/store/keys/indexEntries.ts";
import type { Key } from "../../../shared/store/keys/key.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { type FakePos, type PosName, startFakePos, traitsOf } from "../../shared/pos/fakes/fakePos.ts";
import { seededFaults } from "../../shared/pos/fakes/seededFaults.ts";
import type { ShopPackage } from "../../shared/pos/fakes/shop.ts";
import { markingFetch, shorten, withShortenedAnswers } from "../../shared/pos/fakes/shortenedAnswers.ts";
import type { Job } from "../realRules/actors.ts";
import { accidents, bareEngine, type Figures } from "../realRules/figures.ts";
import { type Message, MessageQueue } from "../realRules/messageQueue.ts";
import { attachBucket, RealRules } from "../realRules/realRules.ts";
import { connectCrb } from "./connectCrb.ts";
import { faultsOfAnnouncements } from "./faultsOfAnnouncements.ts";
import { contentOf, differences, faultsOfLists, scan } from "./tableState.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Longer than any lease, and any pause after a failure. */
const longRest = 26 * hour;
const everyKind = 15 * 60;
const intervals = {
  location: everyKind,
  product: everyKind,
  customer: everyKind,
  inventory: everyKind,
  sale: everyKind,
};
const shopSize = { customers: 12, products: 6, packages: 8, sales: 20 };

/** Some calls take so long that a lease expires during them. */
const disturbed: Partial<Figures> = { ...accidents, stalls: 4, stall: 10 * minute };
const calm: Partial<Figures> = { ...bareEngine, stalls: 0, skew: 0 };

/** The events of a run, and its result. */
export interface ReplicationChaos {
  calls: number;
  kills: number;
  /** how often a worker continued without its lease, which another had taken */
  lost: number;
  /** requests to the POS with an injected fault */
  faults: number;
  /** pulls with empty or shortened lists, without any other error */
  falseAnswers: number;
  duplicates: number;
  /**
   * how often a worker handed a pull of inventory to another; all of it must be seen before any record counts as
   * removed
   */
  handovers: number;
  /** number of records and entries of the table at the end */
  items: number;
  /** differences from a replication without faults; empty if there are none */
  wrong: string[];
}

/** Two empty tables: one for the replication with faults, one for the replication without. */
export interface ChaosTables {
  disturbed: Table;
  calm: Table;
}

/**
 * Replicates a POS into two tables: into one by DynamoDB's real rules with all kinds of faults, into the other
 * without faults. In the end both must be equal. Everything follows from the seed.
 *
 * Each day with faults ends with a calm hour, in which the planner alone must bring the table up to date.
 */
export async function replicationChaos(seed: number, pos: PosName, tables: ChaosTables): Promise<ReplicationChaos> {
  const chance = dice("replication", pos, seed);
  const skew = chance.pick([0, 0, 0, -20, 20]) * minute;
  let rules = new RealRules({ seed, start: "2026-03-10T19:30:00.000Z", ...calm });
  const time = () => rules.clock.now().getTime();
  /** Changes the rules; virtual time continues. */
  const begin = (figures: Partial<Figures>) => {
    rules = new RealRules({ seed: `${seed} ${time()}`, start: rules.clock.now().toISOString(), ...figures });
    return rules;
  };
  const fake = await startFakePos(pos, `chaos ${seed}`, shopSize, () => new Date(time() + skew));
  // Sales are on fewer days, since runs request most POS systems day by day.
  for (const sale of fake.shop.sales) {
    for (const name of ["at", "changedAt"] as const) sale[name] = time() - Math.round((time() - sale[name]) / 6);
  }
  const crbId = uuid(`${seed}`, fake.connection.crbId);
  const world = new World({ pos, seed }, crbId, chance, fake, tables.disturbed);
  const reference = new World({ pos, seed }, crbId, chance, fake, tables.calm);
  const { fetch } = globalThis;
  globalThis.fetch = markingFetch((...call) => rules.call("POS", () => fetch(...call)));
  fake.server.answering = (request, answer) => shorten(fake.shop, request, answer);
  try {
    for (const table of Object.values(tables)) await connectCrb(table, crbId, fake.connection, rules.clock);
    await rules.clock.sleep(minute);
    const wrong: string[] = [];
    for (let days = chance.pick([1, 1, 2]); days > 0; days--) {
      await world.disturbedDay(days, begin(disturbed));
      // Twice: records that arrived before those that complete them are read again.
      for (let times = 2; times > 0; times--) {
        await rules.clock.sleep(longRest);
        wrong.push(...(await world.settle(begin(calm))), ...(await reference.settle(begin(calm))));
        world.removePackages();
      }
    }
    const [found, expected] = [await scan(tables.disturbed), await scan(tables.calm)];
    const content = contentOf(expected, crbId);
    wrong.push(...differences(contentOf(found, crbId), content));
    wrong.push(...(await faultsOfLists(tables.disturbed, found, crbId)), ...faultsOfAnnouncements(found, crbId));
    return { ...world.happened, items: content.size, wrong };
  } finally {
    globalThis.fetch = fetch;
    await fake.server.close();
  }
}

/** The table that a POS is replicated into, and the queue with its messages. */
class World {
  readonly happened = { calls: 0, kills: 0, lost: 0, faults: 0, falseAnswers: 0, duplicates: 0, handovers: 0 };
  readonly #pos: PosName;
  readonly #seed: number;
  readonly #crbId: string;
  readonly #chance: Dice;
  /** separate dice, so that seeds without a false response keep their history */
  readonly #faultDice: Dice;
  readonly #fake: FakePos;
  readonly #queue: MessageQueue;
  #table: Table;
  #removed: ShopPackage[] = [];
  /** by kind and start of a pull: the maximum number of rows in its responses; null for all */
  #call: <T>(request: () => Promise<T>) => Promise<T> = (request) => request();
  readonly #maxRows = new Map<string, number | null>();

  constructor({ pos, seed }: { pos: PosName; seed: number }, crbId: string, chance: Dice, fake: FakePos, table: Table) {
    this.#pos = pos;
    this.#seed = seed;
    this.#crbId = crbId;
    this.#chance = chance;
    this.#faultDice = dice("false answers", pos, seed);
    this.#fake = fake;
    this.#table = table;
    this.#queue = new MessageQueue(chance);
  }

  /** A day of faults, kills, repeated and reordered messages, two concurrent workers, and a changing shop. */
  async disturbedDay(day: number, rules: RealRules): Promise<void> {
    const chance = this.#chance;
    const { clock } = rules;
    const { server, shop } = this.#fake;
    const { removePackage } = shop;
    // Deferred until all work is done: only one table may have seen records that appear and vanish between two pulls.
    shop.removePackage = (removed) => void this.#removed.push(removed);
    const faults = seededFaults(`${this.#seed} ${day}`, chance.pick([0, 5, 15, 30]));
    server.faults = (request) => {
      const fault = faults(request);
      if (fault) this.happened.faults++;
      return fault;
    };
    server.beforeAnswer = () => {
      if (chance.percent(2)) shop.change();
    };
    await this.#under(rules, async () => {
      for (let steps = chance.between(5, 10); steps > 0; steps--) {
        if (chance.percent(40) || this.#queue.nextAt === undefined) {
          await clock.sleep(chance.pick([minute, 20 * minute, 2 * hour]));
          await this.#run(rules, [{ name: `planner ${steps}`, work: () => this.#plan(), ...this.#fate(8) }]);
        }
        for (let changes = chance.between(0, 2); changes > 0; changes--) shop.change();
        await this.#receive(rules, steps);
        await clock.sleep(chance.pick([0, second, 30 * second, 61 * second, 10 * minute]));
      }
    });
    server.faults = () => undefined;
    server.beforeAnswer = () => undefined;
    shop.removePackage = removePackage;
  }

  /**
   * Processes the queue and the planner's further messages, in order and without faults.
   *
   * @returns the kinds that did not finish replicating
   */
  async settle(rules: RealRules): Promise<string[]> {
    const from = rules.clock.now().toISOString();
    this.#queue.isCalm = true;
    const work = async () => {
      await this.#plan();
      await this.#queue.drain((message) => this.#work(message, hour));
      if (!(await this.#states()).some(({ unconfirmed }) => unconfirmed)) return;
      // Another pull confirms the removals in the shop.
      await rules.clock.sleep(longRest);
      await this.#plan();
      await this.#queue.drain((message) => this.#work(message, hour));
    };
    const [{ error } = {}] = await this.#under(rules, () => this.#run(rules, [{ name: "settler", work }]));
    this.#queue.isCalm = false;
    const states = await this.#states();
    const { posType } = this.#fake.connection;
    const unsettled = states.filter(({ sk, position, error, unconfirmed, succeeded_at }) => {
      // The planner requests a kind that the POS lacks only until its first success.
      const isLacking = recordKinds.some((kind) => replicationKey(this.#crbId, kind).sk === sk && lacks(posType, kind));
      return position !== null || error !== null || unconfirmed || (succeeded_at ?? "") < (isLacking ? "0" : from);
    });
    return [
      ...(error ? [`${error}`] : []),
      ...(states.length < recordKinds.length
        ? [`${recordKinds.length - states.length} kinds were never replicated`]
        : []),
      ...unsettled.map((state) => `not replicated to its end: ${JSON.stringify(state)}`),
    ];
  }

  async #states(): Promise<(ReplicationState & Key)[]> {
    const keys = recordKinds.map((kind) => replicationKey(this.#crbId, kind));
    const items = await this.#table.batchGet(keys, { consistent: true });
    return [...items.values()] as unknown as (ReplicationState & Key)[];
  }

  /** Removes the records that would have vanished during the day. */
  removePackages(): void {
    for (const removed of new Set(this.#removed.splice(0))) this.#fake.shop.removePackage(removed);
  }

  /** Attaches rules to the table and the queue for some work. */
  #under<T>(rules: RealRules, work: () => Promise<T>): Promise<T> {
    this.#call = (request) => rules.call("POS", request);
    rules.attach(this.#table);
    attachBucket(serviceBucket());
    this.#table = new Table(this.#table.name, this.#table.client, rules.clock);
    return this.#queue.during(rules, work);
  }

  async #run(rules: RealRules, jobs: readonly Job[]) {
    const outcomes = await rules.run(jobs);
    for (const { calls, killed } of outcomes) {
      this.happened.calls += calls;
      this.happened.kills += killed ? 1 : 0;
    }
    this.happened.duplicates = this.#queue.duplicates;
    return outcomes;
  }

  /** Receives one message or two, mostly duplicates, whose workers collide. Failed messages come again. */
  async #receive(rules: RealRules, step: number): Promise<void> {
    const chance = this.#chance;
    const first = this.#queue.receive();
    const other = chance.percent(50) ? (chance.percent(70) ? first : this.#queue.receive()) : undefined;
    const waits = [0, chance.pick([0, 61 * second, 90 * second, 2 * minute])];
    const jobs = [first, other].flatMap((message, i) => {
      if (!message) return [];
      const limit = chance.pick([0, 5 * second, 10 * minute, hour]);
      const work = async () => {
        await rules.clock.sleep(waits[i] ?? 0);
        await this.#work(message, limit);
      };
      return [{ name: `worker ${step}.${i}`, work, ...this.#fate(50) }];
    });
    await this.#run(rules, jobs);
  }

  /** Pulls a page. The POS may leave out most or all of it. */
  async #pull<Kind extends RecordKind>(connector: Connector, connection: Connection, request: PullRequest<Kind>) {
    const { kind, now } = request;
    const pull = `${kind} ${now.toISOString()}`;
    if (request.position === null && !this.#maxRows.has(pull)) {
      const max = this.#faultDice.percent(25) ? await this.#maxFalseRows(request) : null;
      if (max !== null) this.happened.falseAnswers++;
      this.#maxRows.set(pull, max);
    }
    const max = this.#maxRows.get(pull) ?? null;
    const pullPage = () => connector.pull(connection, request);
    return max === null ? pullPage() : withShortenedAnswers(max, pullPage);
  }

  /**
   * The maximum number of rows in false responses that replication must reject: fewer than half of the stock, or none
   * in a first pull. False responses never follow each other, since the second would confirm the first.
   */
  async #maxFalseRows({ kind, since }: PullRequest<RecordKind>): Promise<number | null> {
    // If no rooms are listed, the store itself is a permanent location.
    if (this.#queue.isCalm || kind === "location" || (kind !== "inventory" && since !== null)) return null;
    const items = await this.#call(() => scan(this.#table));
    const { sk, pk } = replicationKey(this.#crbId, kind);
    const state = items.find((item) => item.pk === pk && item.sk === sk) as unknown as ReplicationState;
    if (state.unconfirmed || state.empty_since) return null;
    const entries = entriesPartition(recordList(this.#crbId, "inventory"), { field: "present", value: "yes" });
    const inStock = items.filter((item) => item.pk === entries).length;
    // A row may be two records. A partial list of changes would look complete.
    const { readsWhole } = traitsOf(this.#pos);
    if (kind !== "inventory" || !readsWhole.includes(kind)) return 0;
    return this.#faultDice.between(0, Math.max(0, Math.ceil(inStock / 4) - 1));
  }

  #fate(maxCalls: number): Pick<Job, "crashAfterCalls"> {
    return this.#chance.percent(35) ? { crashAfterCalls: this.#chance.between(0, maxCalls) } : {};
  }

  #plan(): Promise<unknown> {
    return planReplications(this.#table, { intervals, clock: this.#table.clock });
  }

  /** Works like the worker's function, in a process of its own, limited to `limit` milliseconds. */
  async #work(message: Message, limit: number): Promise<void> {
    const { clock } = this.#table;
    const work = replicationMessage.parse(JSON.parse(message.body));
    const deadline = new Date(clock.now().getTime() + limit);
    // Small pages, mostly, so that workers also hand over in the middle of short lists.
    const connector = this.#fake.connector({ clock, listPageSize: this.#chance.pick([2, 3, 250]) });
    const connectorOf: typeof findConnector = () => ({
      ...connector,
      pull: (...call) => this.#pull(connector, ...call),
    });
    const { outcome } = await replicateCrb(this.#table, work, { deadline, clock, connectorOf });
    if (work.kind === "inventory" && outcome === "unfinished") this.happened.handovers++;
    if (outcome === "lost") this.happened.lost++;
    this.#queue.done(message);
  }
}
