import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { kindsByName, type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { eraseCustomer } from "../../../shared/domain/replication/eraseCustomer.ts";
import { planReplications } from "../../../shared/domain/replication/planReplications.ts";
import { readReplications } from "../../../shared/domain/replication/readReplications.ts";
import { readRunFacts, replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import { replicationMessage } from "../../../shared/domain/replication/replicationMessage.ts";
import type { ReplicationState } from "../../../shared/domain/replication/replicationState.ts";
import { requestReplication } from "../../../shared/domain/replication/requestReplications.ts";
import { type Connection, PosError, type PullRequest } from "../../../shared/pos/connector.ts";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../shared/store/client.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import { streamInventoryInStock } from "../../../shared/store/inventory.ts";
import { entryRange } from "../../../shared/store/keys/indexEntries.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { readAllDue } from "../../../shared/store/replicationDue.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { testConnection } from "../../shared/pos/sandbox/testConnection.ts";
import type { Job, Outcome } from "../realRules/actors.ts";
import { type Message, MessageQueue } from "../realRules/messageQueue.ts";
import type { RealRules } from "../realRules/realRules.ts";
import { connectCrb } from "./connectCrb.ts";
import { differencesFromPos, findComplianceFaults } from "./differencesFromPos.ts";
import { findFingerprintFaults } from "./findFingerprintFaults.ts";
import { findOpenDays } from "./findOpenDays.ts";
import { Outages } from "./outages.ts";
import { everyMinute, segmentSize, simulatedKinds } from "./readings.ts";
import { Shop } from "./shop.ts";
import type { Stored } from "./stored.ts";

const second = 1_000;
const day = 24 * 3_600 * second;
/** Midnight of the business in winter, in milliseconds after midnight in UTC. */
export const businessMidnight = 7 * 3_600 * second;
/** Maximum number of days, with one planning each, until the records must agree with the POS. */
const maxRestDays = 20;
/** Sales of this number of days are checked again after a change of the state (docs/spec.md#sale-checks). */
const recheckedDays = 90;
/** From this day on, no accidents happen. */
const calmDay = 10;

/** Milliseconds until a daily instant, which is given in milliseconds after midnight in UTC. */
export const untilMidnight = (midnight: number, now: number): number => (midnight - (now % day) + day) % day;

/** A business whose locations, customers, inventory and sales are replicated, with the actors of its replication. */
export class Business {
  readonly connection: Connection;
  /** number of started erasures */
  erasures = 0;
  readonly outages = new Outages();
  readonly #chance: Dice;
  readonly #world: RealRules;
  #table: Table;
  #bare: Table;
  readonly #shop: Shop;
  readonly #queue: MessageQueue;
  readonly #rivals: Promise<Outcome[]>[] = [];
  /** customers whose erasure an operator has started */
  readonly #erased = new Set<string>();
  /** those of them whose erasure is complete in the present table */
  readonly #erasedWholly = new Set<string>();
  readonly #hasAccidents: boolean;
  /** the first day, yyyy-MM-dd, whose sales must be checked by the rules of the present state */
  #checkedFrom = "";
  /** percentage of the POS's pages that fail */
  #posFailures: number;
  /** whether workers wait for the business's midnight on calm days, too */
  #waitsOnCalmDays = false;

  /**
   * @param bare the table without rules
   * @param hasAccidents whether accidents happen in the world
   */
  constructor(chance: Dice, world: RealRules, table: Table, bare: Table, crbId: string, hasAccidents: boolean) {
    this.#hasAccidents = hasAccidents;
    this.#chance = chance;
    this.#world = world;
    this.#table = table;
    this.#bare = bare;
    this.connection = { ...testConnection, crbId, connectedAt: world.clock.now().toISOString() };
    this.#shop = new Shop(chance, { ...world.clock, now: () => new Date(world.time) });
    this.#queue = new MessageQueue(chance);
    this.#posFailures = chance.pick([0, 0, 4]);
  }

  /** Connects the business. Its first runs are due a minute later. */
  async connect(): Promise<void> {
    const { clock } = this.#world;
    await connectCrb(this.#bare, this.connection.crbId, this.connection, clock);
    this.#shop.beforePage = (request) => this.#world.call("POS", async () => this.#beforePage(request));
    this.#shop.afterPage = (kind) => this.#freeze(kind, 7);
    this.#freezeBeforeCompletions();
    this.#waitOverMidnights();
  }

  /** Continues with another table, restored from a backup. */
  moveTo(table: Table, bare: Table): void {
    this.#table = table;
    this.#bare = bare;
    this.#erasedWholly.clear();
  }

  /** Runs work while the workers of `jobs` receive messages. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.during(this.#world, work);
  }

  /** The actors of a round, during which the POS also changes: planners, workers, sometimes an operator. */
  jobs(round: number): Job[] {
    const chance = this.#chance;
    const rules = dice("sale rules", this.connection.crbId, round);
    this.#shop.change();
    const some = (name: string, count: number, maxCalls: number, work: () => Promise<unknown>): Job[] =>
      Array.from({ length: count }, (_, i) => ({
        name: `${name} ${round}.${i}`,
        work,
        ...(chance.percent(30) && { crashAfterCalls: chance.between(0, maxCalls) }),
      }));
    const full = () => requestReplication(this.connection.crbId, [chance.pick(simulatedKinds)], { full: true });
    return [
      ...some("planner", chance.pick([1, 1, 2]), 12, () => this.#plan()),
      ...some("worker", chance.pick([1, 2, 3]), 60, () => this.#work()),
      ...some("operator", chance.percent(15) ? 1 : 0, 1, full),
      // Other numbers than those of `chance`, so that histories without a change of the state stay the same.
      ...(rules.percent(25) ? some("owner", 1, 4, () => this.#changeState(rules.pick(["CO", "NY", "FL"]))) : []),
      ...some("eraser", chance.percent(25) ? 1 : 0, 40, () => this.#erase(this.#idOf(this.#shop.anyCustomer()))),
    ];
  }

  /**
   * Simulates days until all kinds are replicated and all erasures are complete. On these days replications are planned
   * and run, and unfinished erasures are repeated; no other work is done.
   *
   * @returns the work that is incomplete after the last day; empty if none is
   */
  async drainAllWork(): Promise<string[]> {
    const from = this.#world.clock.now().toISOString();
    this.#queue.isCalm = true;
    this.#posFailures = 0;
    const unfinished = new Set(this.#erased);
    for (let days = 1; days <= maxRestDays; days++) {
      if (days === calmDay || !this.#hasAccidents) this.becalm();
      await this.#world.clock.sleep(day);
      const [{ error } = {}] = await this.#world.run([
        { name: `calm day ${days}`, work: () => this.#calmDay(unfinished) },
      ]);
      if (error && !this.outages.take(error)) return [`calm day ${days}: ${error}`];
      if (unfinished.size === 0 && (await this.#unsettled(from)).length === 0) return [];
    }
    return [...[...unfinished].map((id) => `not erased to its end: ${id}`), ...(await this.#unsettled(from))];
  }

  /**
   * Replicates changes of the stock once more, during a midnight of the business. The packages of the last page are
   * written on the old day, and those that have vanished on the new day.
   *
   * @returns the incomplete work and other faults; empty if there are none
   */
  async replicateOverMidnight(): Promise<string[]> {
    const { clock, time } = this.#world;
    for (let changes = 0; changes < 3; changes++) this.#shop.change(false);
    await clock.sleep(untilMidnight(businessMidnight, time) + day - 20 * second);
    this.#waitsOnCalmDays = true;
    const [{ error } = {}] = await this.#world.run([
      { name: "worker over midnight", work: () => this.#calmDay(new Set()) },
    ]);
    this.#waitsOnCalmDays = false;
    if (error && !this.outages.take(error)) return [`over midnight: ${error}`];
    return this.drainAllWork();
  }

  /** Ends all accidents: the table is always available from now on. */
  becalm(): void {
    this.#world.calm();
    this.outages.isCalm = true;
  }

  /** number of empty or shortened lists that the POS returned without an error */
  get falseAnswers(): number {
    return this.#shop.falseAnswers;
  }

  /** The differences between the table and the POS. */
  differences(stored: Stored): string[] {
    return differencesFromPos(this.connection, this.#shop, stored, this.#erased);
  }

  /** Stored fingerprints of content that must not have one. */
  findFingerprintFaults(stored: Stored): string[] {
    return findFingerprintFaults(this.connection, this.#shop, stored, this.#erased, this.#erasedWholly);
  }

  /** Faults in the reported freshness of the records: their number, and the time of their stored state. */
  async faultsOfFreshness(stored: Stored): Promise<string[]> {
    const { crbId, posType } = this.connection;
    const reported = await readReplications(this.#bare, crbId, everyMinute);
    const reportedKinds = new Set<string>();
    const wrong = reported.flatMap(({ kind: name, records, data_as_of }) => {
      const kind = kindsByName[name];
      const { length } = stored.get(recordList(crbId, kind).pk) ?? [];
      if (data_as_of) reportedKinds.add(kind);
      return records === length ? [] : [`${kind}: ${records} records are reported, ${length} there`];
    });
    const changed = new Set(
      reported.flatMap(({ kind: name, data_as_of }) => {
        const kind = kindsByName[name];
        const ids = data_as_of ? this.#shop.changedSince(kind, data_as_of) : [];
        return ids.map((id) => `differs: ${kind} ${recordId(crbId, kind, posType, id)}`);
      }),
    );
    // An erasure may be incomplete, and replication skips customers who are to be erased.
    const unerased = new Set(differencesFromPos(this.connection, this.#shop, stored, new Set()));
    const left = new Set([...this.#erased].map((id) => `differs: customer ${id}`));
    const late = this.differences(stored).filter((one) => unerased.has(one) && !changed.has(one) && !left.has(one));
    return [
      ...wrong,
      ...late
        .filter((one) => reportedKinds.has(one.split(" ")[1] ?? ""))
        .map((one) => `${one}, although the report covers it`),
    ];
  }

  /** Faults of the turns: every kind of a connected business has one, and it comes soon. */
  async findScheduleFaults(): Promise<string[]> {
    const turns = await readAllDue(this.#bare);
    // Up to a tenth more at random, and a clock that is ahead.
    const latest = new Date(this.#world.clock.now().getTime() + 75 * second).toISOString();
    const isSoon = recordKinds.every((kind) => (turns[0]?.times[kind] ?? "~") <= latest);
    return isSoon && turns.length === 1 ? [] : [`turns: ${JSON.stringify(turns)}`];
  }

  async #beforePage(request: PullRequest<RecordKind>): Promise<number | null> {
    if (this.#queue.isCalm) return null;
    if (this.#chance.percent(10)) this.#shop.change();
    if (this.#chance.percent(this.#posFailures)) {
      throw new PosError(this.#chance.pick(["unreachable", "limited", "credentialsRefused"]));
    }
    return this.#chance.percent(20) ? this.#maxFalselyNamed(request) : null;
  }

  /**
   * Sometimes a worker freezes until its lease has expired. Meanwhile the records that it read change, and two others
   * try to take the lease at the same time.
   */
  async #freeze(kind: RecordKind, percentage: number): Promise<void> {
    const [chance, world] = [this.#chance, this.#world];
    if (this.#queue.isCalm || !chance.percent(percentage)) return;
    this.#shop.change();
    const body = JSON.stringify({ crb_id: this.connection.crbId, kinds: [kind] });
    const work = async () => {
      await world.clock.sleep(66 * second);
      await this.#processMessage({ body, readyAt: 0, received: 1 }, day);
    };
    this.#rivals.push(world.run(["a", "b"].map((name) => ({ name: `rival ${this.#rivals.length}${name}`, work }))));
    await world.clock.sleep(chance.between(67, 180) * second);
  }

  /** Sometimes a worker freezes after its run, just before it completes sales days. */
  #freezeBeforeCompletions(): void {
    const names = ({ Update }: TransactWriteItem) => Object.values(Update?.ExpressionAttributeNames ?? {});
    this.#table.client.middlewareStack.add(
      (next) => async (request) => {
        const { TransactItems = [] } = request.input as { TransactItems?: TransactWriteItem[] };
        if (TransactItems.some((write) => names(write).includes("sales_days_completed")))
          await this.#freeze("sale", 20);
        return next(request);
      },
      { step: "initialize", name: "freezeBeforeCompletions", priority: "high" },
    );
  }

  /** Shortly before the business's midnight, a worker waits for it between the last page of the stock and the vanished stock. */
  #waitOverMidnights(): void {
    const world = this.#world;
    const inventory = recordList(this.connection.crbId, "inventory");
    const inStock = entryRange(inventory, { field: "present", value: "yes" }).pk;
    this.#table.client.middlewareStack.add(
      (next, { commandName }) =>
        async (request) => {
          const left = untilMidnight(businessMidnight, world.time);
          const mayWait = (!this.#queue.isCalm || this.#waitsOnCalmDays) && left < 45 * second;
          if (mayWait && commandName === "QueryCommand" && JSON.stringify(request.input).includes(inStock))
            await world.clock.sleep(left + 5 * second);
          return next(request);
        },
      { step: "initialize", name: "waitOverMidnights", priority: "high" },
    );
  }

  /** The outcomes of actors that took over from frozen workers. */
  async rivals(): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (let run = this.#rivals.pop(); run; run = this.#rivals.pop()) outcomes.push(...(await run));
    return outcomes;
  }

  /**
   * The maximum number of packages in a false response that replication must reject: less than half of those with a
   * quantity. False responses never follow each other, since the second would confirm the first.
   */
  async #maxFalselyNamed({ kind, since, position }: PullRequest<RecordKind>): Promise<number | null> {
    if (position !== null || (kind !== "inventory" && since !== null)) return null;
    const { crbId } = this.connection;
    const state = (await this.#bare.get(replicationKey(crbId, kind), {
      consistent: true,
    })) as unknown as ReplicationState;
    if (state.unconfirmed || state.empty_since) return null;
    if (kind !== "inventory") return 0;
    const inStock = (await Array.fromAsync(streamInventoryInStock(this.#bare, crbId))).flat().length;
    return inStock === 0 && since !== null ? null : Math.max(0, Math.ceil(inStock / 2) - 1);
  }

  #plan(): Promise<unknown> {
    return planReplications(this.#table, { intervals: everyMinute, clock: this.#world.clock });
  }

  /** Receives some messages, and waits briefly if there are none. */
  async #work(): Promise<void> {
    const { clock } = this.#world;
    // Mostly at once, during others' work; or after the lease of a stuck worker has expired.
    await clock.sleep(this.#chance.pick([50, 100, 200, 61 * second, 120 * second]));
    for (let receives = this.#chance.between(2, 5); receives > 0; receives--) {
      const message = this.#queue.receive();
      if (!message) await clock.sleep(this.#chance.between(50, second));
      else await this.#processMessage(message, this.#chance.percent(25) ? this.#chance.between(1, 300) : day);
      if (!message || !this.#chance.percent(25)) continue;
      // A change is replicated, reverted, and immediately replicated again.
      const { crb_id, kinds } = JSON.parse(message.body);
      for (const takesBack of [false, true]) {
        this.#shop.change(takesBack);
        await this.#processMessage({ ...message, body: JSON.stringify({ crb_id, kinds }) }, day);
      }
    }
  }

  /** @param unfinished the erasures that may have been cut off; repeating an erasure finishes it */
  async #calmDay(unfinished: Set<string>): Promise<void> {
    for (const id of unfinished) {
      try {
        await this.#erase(id);
        unfinished.delete(id);
      } catch (error) {
        // Accidents continue on other days, and further work must not wait for the failed one.
        if (!this.outages.take(error)) throw error;
      }
    }
    await this.#plan();
    await this.#queue.drain((message) => this.#processMessage(message, day));
  }

  #idOf(number: number): string {
    const { crbId, posType } = this.connection;
    return recordId(crbId, "customer", posType, String(number));
  }

  async #erase(customerId: string): Promise<void> {
    this.erasures++;
    this.#erased.add(customerId);
    await eraseCustomer(this.#table, this.connection.crbId, customerId, { clock: this.#world.clock, segmentSize });
    this.#erasedWholly.add(customerId);
  }

  /** Another state has other sale rules, so the stored sales are checked again. */
  async #changeState(state: "CO" | "NY" | "FL"): Promise<void> {
    const { clock } = this.#world;
    // Work is drained some days after the rounds, so the sales of this day are checked again at the latest then.
    const drained = new Date(this.#world.time + (maxRestDays + 10) * day);
    this.#checkedFrom = addDays(localDay(drained, this.connection.timezone), -recheckedDays);
    await changeCrb(this.#table, this.connection.crbId, (crb) => ({ ...crb, record: { ...crb.record, state } }), clock);
  }

  /** The stored sales whose compliance fields are not those of the present rules, except those that are too old to be checked again. */
  async findComplianceFaults(stored: Stored): Promise<string[]> {
    const crb = await readCrb(this.#bare, this.connection.crbId, { consistent: true });
    return findComplianceFaults({ ...this.connection, state: crb?.record.state ?? "" }, stored, this.#checkedFrom);
  }

  /** Works like the worker's function: the queue delivers a failed message again. */
  async #processMessage(message: Message, milliseconds: number): Promise<void> {
    const { clock } = this.#world;
    const { kinds, ...work } = replicationMessage.parse(JSON.parse(message.body));
    const deadline = new Date(clock.now().getTime() + milliseconds);
    const connectorOf = () => this.#shop;
    try {
      const facts = readRunFacts(this.#table, work.crb_id);
      await facts;
      const failures: unknown[] = [];
      // One after the other, not at the same time as in the worker, so that a history follows from its seed.
      for (const kind of simulatedKinds.filter((each) => kinds.includes(each))) {
        const options = { deadline, clock, connectorOf, facts, segmentSize };
        await replicateCrb(this.#table, { ...work, kind }, options).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
      this.#queue.done(message);
    } catch (error) {
      // If the table cannot record a failure of the POS, that failure is thrown, so that the message comes again.
      if (!this.outages.take(error) && !(error instanceof PosError)) throw error;
    }
  }

  /** Kinds not fully replicated by a run that began after an instant. */
  async #unsettled(from: string): Promise<string[]> {
    const { crbId } = this.connection;
    const states = await Promise.all(
      simulatedKinds.map((kind) => this.#bare.get(replicationKey(crbId, kind), { consistent: true })),
    );
    const config = (await readCrb(this.#bare, crbId, { consistent: true }))?.record.pos_configs[0];
    return [
      ...(states as (ReplicationState | undefined)[])
        .filter(
          (state) => !state || state.position !== null || state.unconfirmed || (state.succeeded_from ?? "") < from,
        )
        .map((state) => `not replicated to its end: ${JSON.stringify({ ...state, seen: undefined })}`),
      ...(await findOpenDays(this.#bare, this.connection)),
      ...(config?.status === "Connected" ? [] : [`the POS is ${config?.status}`]),
    ];
  }
}
