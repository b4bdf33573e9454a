import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { v5 as uuid } from "uuid";
import { createTable } from "../../../infra/local/createTable.ts";
import { accessFiles } from "../../../shared/domain/accessLog/accessFiles.ts";
import { announceReconciliation } from "../../../shared/domain/deposits/announceReconciliation.ts";
import { setCashCount } from "../../../shared/domain/deposits/cashCounts.ts";
import { deleteDeposit } from "../../../shared/domain/deposits/deleteDeposit.ts";
import { storeDeposits } from "../../../shared/domain/deposits/storeDeposits.ts";
import { decideInsight } from "../../../shared/domain/insights/decideInsight.ts";
import { setInsightSettings } from "../../../shared/domain/insights/insightSettings.ts";
import { listInsights } from "../../../shared/domain/insights/listInsights.ts";
import { sweepInsights } from "../../../shared/domain/insights/sweepInsights.ts";
import { rebuildLists } from "../../../shared/domain/replication/rebuildLists.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import { collectStatement } from "../../../shared/domain/statements/collectStatement.ts";
import { renderStatement } from "../../../shared/domain/statements/renderStatement.ts";
import { defaultInsightSettings, type InsightSettings } from "../../../shared/insights/insightCodes.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import type { PosSale } from "../../../shared/pos/posRecords.ts";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import { Table } from "../../../shared/store/client.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { insightsDuePartition, insightsPartition } from "../../../shared/store/keys/insights.ts";
import { hasDifferences } from "../../../shared/store/listRebuild/rebuildList.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { utcDay } from "../../../shared/time/clock.ts";
import { plainSale, ScriptedPos, voidSale } from "../../shared/domain/replication/scriptedPos.ts";
import { testConnection } from "../../shared/pos/sandbox/testConnection.ts";
import { scan } from "../../tableState.ts";
import type { Job } from "../realRules/actors.ts";
import { accidents } from "../realRules/figures.ts";
import { MessageQueue } from "../realRules/messageQueue.ts";
import { RealRules } from "../realRules/realRules.ts";
import { connectCrb } from "./connectCrb.ts";
import { findInsightFaults, insightsIn } from "./findInsightFaults.ts";
import { InsightJournal } from "./insightJournal.ts";
import { Outages } from "./outages.ts";
import { tornItems } from "./restores.ts";
import { type Stored, storedIn } from "./stored.ts";

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
/** Maximum number of days without accidents until nothing is due. */
const maxCalmDays = 8;
/** The days before the first round that have a sale each. */
const earlierDays = 30;
/** The days whose sales change. */
const changingDays = 9;
const namespace = "0b6f6b3e-0f0a-4c7c-9a77-6f5e7e2d4f10";

/** Every code of sales and deposits holds for few sales and after few days. */
const settings: InsightSettings = {
  ...defaultInsightSettings,
  revenue_above_baseline: { enabled: true, threshold: 1, minimum_history: 2 },
  large_cash_payment: { enabled: true, threshold: 4_000, minimum_history: 0 },
  repeat_purchases: { enabled: true, threshold: 2, minimum_history: 0 },
  no_sales: { enabled: true, threshold: 1, minimum_history: 1 },
};

/** The events of a history, and its faults; empty if there are none. */
export interface SimulatedInsights {
  wrong: string[];
  rounds: number;
  kills: number;
  tornRestores: number;
  raised: number;
  withdrawn: number;
  decided: number;
  updated: number;
  log: string;
}

/**
 * One history of a CRB's insights by DynamoDB's real rules. The sales and deposits change, replications, sweepers and decisions
 * run concurrently and are killed, and the table is restored with a part of a transaction. After each history the insights are
 * those that follow from the sales: none is lost, stored twice or deleted, each decision is kept, each change has one event, and a
 * statement that is made twice for an instant has the same files.
 *
 * @param bare an empty table on an engine, through a client without rules
 * @param newClient makes another client of the same table
 */
export async function simulateInsights(
  seed: number,
  bare: Table,
  newClient: () => Table["client"],
): Promise<SimulatedInsights> {
  const chance = dice("insights", seed);
  const crbId = uuid(String(seed), namespace);
  const journal = new InsightJournal(crbId);
  const world = new RealRules({
    seed,
    observe: journal.observe,
    skew: chance.pick([second, 4 * second]),
    ...(chance.percent(60) && accidents),
    ...(chance.percent(30) && { commitWindow: 100 }),
    ...(chance.percent(40) && { usualLag: chance.pick([second, 10 * second]) }),
  });
  const table = new Table(bare.name, newClient(), world.clock);
  world.attach(table);
  const history = new History(chance, world, journal, { crbId, table, bare, newClient });
  await history.queue.during(world, () => history.run());
  table.client.destroy();
  const { wrong, rounds, kills, tornRestores } = history;
  const { updated = 0, ...changes } = journal.counts;
  const count = (type: string) => changes[`insight.${type}`] ?? 0;
  const counts = { raised: count("raised"), withdrawn: count("withdrawn"), decided: count("decided"), updated };
  return { wrong, rounds, kills, tornRestores, ...counts, log: world.history() };
}

class History {
  readonly wrong: string[] = [];
  rounds = 0;
  kills = 0;
  tornRestores = 0;
  readonly queue: MessageQueue;
  readonly #outages = new Outages();
  readonly #chance: Dice;
  readonly #world: RealRules;
  readonly #journal: InsightJournal;
  readonly #connection: Connection;
  readonly #newClient: () => Table["client"];
  readonly #pos = new ScriptedPos(20);
  #table: Table;
  #bare: Table;
  #spId = "";
  #sales = 0;
  #versions = 0;
  /** The notes of the decisions that succeeded, by insight. */
  readonly #decided = new Map<string, string[]>();

  constructor(
    chance: Dice,
    world: RealRules,
    journal: InsightJournal,
    { crbId, table, bare, newClient }: { crbId: string; table: Table; bare: Table; newClient: () => Table["client"] },
  ) {
    this.#chance = chance;
    this.#world = world;
    this.#journal = journal;
    this.#newClient = newClient;
    this.#connection = { ...testConnection, crbId };
    this.#table = table;
    this.#bare = bare;
    this.queue = new MessageQueue(chance);
  }

  async run(): Promise<void> {
    const { crbId } = this.#connection;
    await connectCrb(this.#bare, crbId, this.#connection, this.#world.clock);
    this.#spId = (await readCrb(this.#bare, crbId))?.serviceProviderId ?? "";
    await setInsightSettings(this.#bare, this.#spId, settings as Parameters<typeof setInsightSettings>[2]);
    const counted = this.#dayBefore(this.#chance.between(8, 14));
    await setCashCount(this.#bare, { spId: this.#spId, crbId }, { date: counted, amount: 0 }, this.#world.clock);
    for (let past = earlierDays; past > 0; past--) this.#sell(this.#dayBefore(past));
    await this.#calmDay();
    const begun = await storedIn(this.#bare);
    for (let rounds = this.#chance.between(3, 5); rounds > 0 && this.wrong.length === 0; rounds--) {
      await this.#round();
      await this.#world.clock.sleep(this.#chance.pick([minute, day / 2, day, day]));
    }
    await this.#comeToRest();
    await this.#check();
    this.wrong.push(...this.#lostDecisions(await storedIn(this.#bare)));
    if (this.wrong.length === 0 && this.#chance.percent(60)) await this.#restore(begun);
  }

  #dayBefore(days: number): string {
    return addDays(utcDay(new Date(this.#world.time)), -days);
  }

  /** A sale at noon, which may be large, to a regular customer, or to a person who is too young. */
  #sell(date: string, id = ++this.#sales): void {
    const chance = this.#chance;
    const plain = plainSale(String(id), ++this.#versions, `${date}T19:00:00.000Z`, `c${id}`);
    const isUsual = date < this.#dayBefore(changingDays);
    const total = !isUsual && chance.percent(20) ? 5_000 + this.#versions : plain.total_paid;
    const sale = {
      ...plain,
      tax_paid: 1,
      total_paid: total,
      payments: [{ type: "cash", amount_paid: total }],
      customer: {
        ...plain.customer,
        ...(!isUsual && chance.percent(40) && { pos_customer_id: "regular" }),
        ...(!isUsual && chance.percent(20) && { dob: "2015-01-01", id_type: "drivers" }),
      },
    } as PosSale;
    this.#pos.put("sale", !isUsual && chance.percent(15) ? voidSale(sale, sale.date) : sale);
  }

  /** New sales of the last days, and changed ones. */
  #changeSales(): void {
    const chance = this.#chance;
    for (let more = chance.between(0, 4); more > 0; more--)
      this.#sell(this.#dayBefore(chance.between(0, changingDays)));
    const sold = [...this.#pos.held("sale").values()].filter(({ date }) => date >= this.#dayBefore(changingDays));
    for (let changes = sold.length > 0 ? chance.between(0, 6) : 0; changes > 0; changes--) {
      const { pos_sale_id, date } = chance.pick(sold as [PosSale]);
      this.#sell(date.slice(0, 10), Number(pos_sale_id));
    }
  }

  async #round(): Promise<void> {
    const chance = this.#chance;
    const round = ++this.rounds;
    this.#changeSales();
    const some = (name: string, count: number, maxCalls: number, work: () => Promise<unknown>): Job[] =>
      Array.from({ length: count }, (_, i) => ({
        name: `${name} ${round}.${i}`,
        work: async () => {
          await this.#world.clock.sleep(chance.pick([0, 100, second, 10 * second]));
          await work().catch((error) => {
            if (!this.#outages.take(error)) throw error;
          });
        },
        ...(chance.percent(30) && { crashAfterCalls: chance.between(0, maxCalls) }),
      }));
    const outcomes = await this.#world.run([
      ...some("worker", chance.pick([1, 2]), 60, () => this.#replicate()),
      ...some("sweeper", chance.pick([1, 2, 3]), 60, () => this.#sweep(chance.percent(20) ? second : minute)),
      ...some("officer", chance.pick([1, 2, 3]), 12, () => this.#decide()),
      ...some("bank", chance.pick([0, 1]), 20, () => this.#deposit()),
    ]);
    this.kills += outcomes.filter(({ killed }) => killed).length;
    this.wrong.push(...outcomes.flatMap(({ name, error }) => (error ? [`${name}: ${error}`] : [])));
    this.wrong.push(...this.#journal.faults, ...this.#outages.faults);
  }

  async #replicate(): Promise<void> {
    const { clock } = this.#world;
    if (this.#chance.percent(30)) this.#changeSales();
    await replicate(this.#table, this.#connection, this.#pos, "sale", { clock });
  }

  /** Several computations one after the other, as a schedule starts them. */
  async #sweep(milliseconds: number): Promise<void> {
    const { clock } = this.#world;
    for (let sweeps = this.#chance.between(1, 3); sweeps > 0; sweeps--) {
      await sweepInsights(this.#table, { clock, deadline: new Date(clock.now().getTime() + milliseconds) });
      await this.#world.nextWrite(insightsDuePartition, 30 * second);
    }
  }

  async #decide(): Promise<void> {
    const { clock } = this.#world;
    const chance = this.#chance;
    if (chance.percent(50)) await this.#world.nextWrite(insightsPartition(this.#connection.crbId), minute);
    for (let decisions = chance.between(1, 3); decisions > 0; decisions--) {
      const { records } = await listInsights(this.#table, this.#spId, {
        ...{ status: "open", crb_id: undefined, limit: 5, cursor: undefined },
      });
      if (records.length === 0) return;
      const { id, revision } = chance.pick(records as [(typeof records)[number]]);
      const note = `note ${chance.between(1, 1e9)}`;
      const status = chance.pick(["explained", "dismissed", "escalated", "open"] as const);
      const names = { sp_id: this.#spId, insight_id: id };
      try {
        await decideInsight(this.#table, names, { status, note, revision }, { clientId: "officer" }, clock);
        this.#decided.set(id, [...(this.#decided.get(id) ?? []), note]);
      } catch (error) {
        if (!["conflict", "notFound"].includes((error as { kind?: string }).kind ?? "")) throw error;
      }
    }
  }

  async #deposit(): Promise<void> {
    const { clock } = this.#world;
    const chance = this.#chance;
    const owner = { spId: this.#spId, crbId: this.#connection.crbId };
    const id = String(chance.between(1, 3));
    const posted_date = this.#dayBefore(chance.between(1, 7));
    const amount = chance.pick([1_000, 20_000, 90_000]);
    if (chance.percent(70)) await storeDeposits(this.#table, owner, [{ id, posted_date, amount, type: "cash" }], clock);
    else await deleteDeposit(this.#table, owner, id, clock).catch(ignoreMissing);
    await announceReconciliation(this.#table, owner.crbId, clock);
  }

  /** A day without changes: one replication, comparison and computation after the other. */
  async #calmDay(): Promise<string[]> {
    const { clock } = this.#world;
    const { crbId } = this.#connection;
    await clock.sleep(day);
    const work = async () => {
      const replicated = await replicate(this.#table, this.#connection, this.#pos, "sale", { clock });
      await announceReconciliation(this.#table, crbId, clock);
      const swept = await sweepInsights(this.#table, { clock });
      const isDone = replicated.outcome === "finished" && swept.failures === 0;
      return isDone ? [] : [`calm day: ${JSON.stringify({ replicated, swept })}`];
    };
    const [{ error, value } = {}] = await this.#world.run([{ name: `calm ${this.#world.time}`, work }]);
    if (error && !this.#outages.take(error)) this.wrong.push(`calm day: ${error}`);
    const due = await this.#bare.queryPartition(insightsDuePartition, { consistent: true });
    return error ? [String(error)] : [...(value as string[]), ...due.map(({ sk }) => `still due: ${sk}`)];
  }

  async #comeToRest(): Promise<void> {
    this.#world.calm();
    this.queue.isCalm = true;
    for (let days = 1; days <= maxCalmDays; days++) {
      const left = await this.#calmDay();
      this.#outages.isCalm = true;
      if (left.length === 0) return;
      if (days === maxCalmDays) this.wrong.push(...left);
    }
  }

  async #check(): Promise<void> {
    const { crbId } = this.#connection;
    const stored = await storedIn(this.#bare);
    this.wrong.push(
      ...this.#journal.faults,
      ...this.#outages.faults,
      ...(await findInsightFaults(this.#bare, stored, { spId: this.#spId, crbId, settings })),
      ...(await this.#differencesOfStatements()),
    );
  }

  /** Decisions that a caller got a response for, and that are not stored exactly once. */
  #lostDecisions(stored: Stored): string[] {
    const insights = new Map(insightsIn(stored, this.#connection.crbId).map((insight) => [insight.id, insight]));
    return [...this.#decided].flatMap(([id, notes]) =>
      notes
        .filter((note) => insights.get(id)?.history.filter((decision) => decision.note === note).length !== 1)
        .map((note) => `${id}: the decision ${note} is not stored once`),
    );
  }

  /** A statement of an instant is made before and after a decision. */
  async #differencesOfStatements(): Promise<string[]> {
    const { clock } = this.#world;
    const { crbId } = this.#connection;
    const directory = mkdtempSync(join(tmpdir(), "statements-"));
    const asOf = clock.now().toISOString();
    const make = async () => {
      const crb = await readCrb(this.#bare, crbId, { consistent: true });
      if (!crb) throw new Error(`The CRB ${crbId} is not stored.`);
      const stores = { table: this.#bare, accessLog: accessFiles(directory) };
      const period = { start_date: this.#dayBefore(20), end_date: this.#dayBefore(1) };
      const intervals = { location: 60, product: 60, customer: 60, inventory: 60, sale: 60 };
      const options = { clock, deadline: new Date(this.#world.time + minute), intervals };
      const content = await collectStatement(stores, { crb, ...period, asOf }, options);
      return (["json", "csv", "html"] as const).flatMap((format) => renderStatement(content, { id: crbId, format }));
    };
    try {
      const first = await make();
      await clock.sleep(minute);
      const [insight] = (
        await listInsights(this.#bare, this.#spId, { status: "open", crb_id: crbId, limit: 1, cursor: undefined })
      ).records;
      if (insight) {
        const { id, revision } = insight;
        const decision = { status: "explained", note: "later", revision } as const;
        await decideInsight(
          this.#bare,
          { sp_id: this.#spId, insight_id: id },
          decision,
          { clientId: "officer" },
          clock,
        );
        // The decision went past the rules, so the journal takes the table as it is now.
        this.#journal.begin(this.#bare.name, await scan(this.#bare));
      }
      const second = await make();
      return first.flatMap(({ name, sha256 }, i) =>
        second[i]?.sha256 === sha256 ? [] : [`${name} of one instant has two contents`],
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  /** Restores a part of a transaction into another table, rebuilds the lists, and continues. */
  async #restore(begun: Stored): Promise<void> {
    const { crbId } = this.#connection;
    this.tornRestores++;
    const restored = new Table(`${this.#bare.name}-restored`, this.#newClient());
    const table = new Table(restored.name, this.#newClient(), this.#world.clock);
    await createTable(restored.client, restored.name);
    try {
      const items = tornItems(insightsPartition(crbId), begun, this.#journal.commits, this.#chance);
      for (const item of items) await restored.put(item);
      this.#journal.begin(restored.name, await scan(restored));
      this.#world.attach(table);
      [this.#table, this.#bare] = [table, restored];
      const options = { clock: this.#world.clock };
      const rebuild = async () => {
        for await (const _ of rebuildLists(table, crbId, options));
      };
      const [{ error } = {}] = await this.#world.run([{ name: "operator", work: rebuild }]);
      if (error) this.wrong.push(`the lists cannot be rebuilt: ${error}`);
      for await (const report of rebuildLists(restored, crbId, { ...options, isCheck: true })) {
        if (hasDifferences(report)) this.wrong.push(`${report.list} differs after its rebuild`);
      }
      await this.#comeToRest();
      await this.#check();
    } finally {
      await restored.client.send(new DeleteTableCommand({ TableName: restored.name }));
      restored.client.destroy();
      table.client.destroy();
    }
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as { kind?: string }).kind !== "notFound") throw error;
}
