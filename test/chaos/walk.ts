import { v5 as uuid } from "uuid";
import { handler as listCustomers } from "../../functions/customers/listCustomers.ts";
import { issueCredential } from "../../shared/access/credentials.ts";
import { type Dice, dice } from "../../shared/pos/sandbox/dice.ts";
import { replicate } from "../../shared/replication/replicate.ts";
import type { Table } from "../../shared/table/client.ts";
import { createCrb } from "../../shared/table/crbs.ts";
import { recordList } from "../../shared/table/keys.ts";
import { defaultChapterSize } from "../../shared/table/rankedList/directory.ts";
import { readPage } from "../../shared/table/rankedList/readPage.ts";
import { crbRecord } from "../crbRecord.ts";
import { requestEvent, testContext } from "../requestEvent.ts";
import { testConnection } from "../shared/pos/sandbox/testConnection.ts";
import { plainCustomer, ScriptedPos } from "../shared/replication/scriptedPos.ts";
import { type Calls, LaggingIndex, TestClock } from "../shared/table/rankedList/listUnderTest.ts";

const minute = 60_000;
const hour = 60 * minute;
const namespace = "c4b0ad6e-8f0b-4a51-9a0f-2f3f9b1a7e55";

/** Commits that the index may be behind, as DynamoDB's may and local engines' are not. */
const mostLag = 4;
const everything = { TableName: "", ExpressionAttributeValues: { ":first": { S: "9" }, ":last": { S: "0" } } };

/** Two clients of the same table, and the hooks around the calls of each. */
export interface WalkTables {
  /** the one that the functions of this process work on */
  client: Table;
  clientCalls: Calls;
  replication: Table;
  replicationCalls: Calls;
}

/** What happened in a walk. */
export interface Walk {
  pages: number;
  /** how often replication went on between two reads of the client */
  disturbances: number;
  /** records that did not change from the walk's beginning to its end */
  unchanged: number;
  /** those of them that no page had */
  missed: string[];
}

/**
 * One walk of a client through all pages of a CRB's customers while they are replicated: between any two of its reads
 * customers may change in the POS, time may pass, and a run of replication may go on by a page or to its end. The index
 * shows states of the last commits. Everything follows from the seed; of every other one the list has small chapters,
 * so that a few dozen records meet every edge of them.
 */
export async function walk(seed: number, tables: WalkTables): Promise<Walk> {
  const chance = dice("walk", seed);
  const crbId = uuid(String(seed), namespace);
  const chapterSize = seed % 2 ? 8 : defaultChapterSize;
  const list = recordList(crbId, "customer");
  const world = new World(seed, crbId, tables, chapterSize);
  const page = seed % 2 ? byList(tables.client, crbId, chapterSize) : await byApi(tables, crbId);
  const index = new LaggingIndex(tables.replication, list);
  tables.replicationCalls.after = async (command) => {
    if (command === "TransactWriteItemsCommand") await index.remember();
  };
  for (let days = chance.between(1, 4); days > 0; days--) await world.turn(100);
  const settled = new Map(index.answer(everything, mostLag).map((item) => [item.sk?.S, item.body?.S]));

  const done: Walk = { pages: 0, disturbances: 0, unchanged: 0, missed: [] };
  // Chance of its own for each call: a client's reads may be under way side by side, in any order.
  let calls = 0;
  // Without an end a client that reads slowly would walk for ever, since customers come all the time.
  const mostDisturbances = chance.between(3, 12);
  tables.clientCalls.before = async () => {
    if (!dice("walk", seed, "call", calls++).percent(25) || done.disturbances === mostDisturbances) return;
    done.disturbances++;
    await world.turn(40);
  };
  let queries = 0;
  tables.clientCalls.index = (query) => index.answer(query, dice("walk", seed, "query", queries++).between(0, mostLag));
  const seen = new Set<string>();
  const limit = chance.between(2, 12);
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const { metadata, ids } = await page(offset, limit);
    total = metadata.total;
    done.pages++;
    for (const id of ids) seen.add(id);
  }
  tables.clientCalls.before = () => undefined;
  tables.clientCalls.index = () => undefined;
  tables.replicationCalls.after = () => undefined;

  for (const { sk: id, body } of await tables.replication.queryPartition(list.pk, { consistent: true })) {
    if (settled.get(id) !== body) continue;
    done.unchanged++;
    if (!seen.has(id)) done.missed.push(id);
  }
  return done;
}

/** The POS of a CRB, and the replication of its customers. */
class World {
  readonly #seed: number;
  readonly #pos: ScriptedPos;
  readonly #clock = new TestClock("2026-12-29T10:00:00.000Z");
  readonly #crbId: string;
  readonly #tables: WalkTables;
  readonly #chapterSize: number;
  #customers = 0;
  #turns = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(seed: number, crbId: string, tables: WalkTables, chapterSize: number) {
    this.#seed = seed;
    this.#pos = new ScriptedPos(dice("walk", seed, "page size").between(4, 15));
    this.#crbId = crbId;
    this.#tables = tables;
    this.#chapterSize = chapterSize;
  }

  /**
   * Time passes, customers come and change, and replication goes on; one turn after the other.
   *
   * @param toItsEnd in how many of a hundred cases to the end of its run, otherwise by a page
   */
  turn(toItsEnd: number): Promise<void> {
    this.#running = this.#running.then(() => this.#turn(dice("walk", this.#seed, "turn", this.#turns++), toItsEnd));
    return this.#running;
  }

  async #turn(chance: Dice, toItsEnd: number): Promise<void> {
    this.#clock.advance(chance.pick([0, minute, 6 * hour, 24 * hour, 72 * hour]));
    const known = this.#customers;
    this.#customers += known === 0 ? chance.between(15, 45) : chance.between(0, 3);
    const changed = Array.from({ length: known ? chance.between(0, 5) : 0 }, () => chance.between(0, known - 1));
    const fresh = Array.from({ length: this.#customers - known }, (_, i) => known + i);
    this.#pos.put(...[...new Set([...changed, ...fresh])].map((id) => plainCustomer(String(id), this.#turns)));
    const clock = this.#clock;
    const deadline = chance.percent(toItsEnd) ? {} : { deadline: clock.now() };
    const { outcome } = await replicate(
      this.#tables.replication,
      { ...testConnection, crbId: this.#crbId },
      this.#pos,
      "customer",
      { clock, chapterSize: this.#chapterSize, ...deadline },
    );
    if (outcome !== "finished" && outcome !== "unfinished") throw new Error(`the run ended as ${outcome}`);
  }
}

type Page = (offset: number, limit: number) => Promise<{ metadata: { total: number }; ids: string[] }>;

/** As any list operation reads it. */
function byList(table: Table, crbId: string, chapterSize: number): Page {
  return async (offset, limit) => {
    const { total, records } = await readPage(table, recordList(crbId, "customer"), { offset, limit }, { chapterSize });
    return { metadata: { total }, ids: records.map((record) => JSON.parse(record).id) };
  };
}

/** As a client gets it, by the operation's own function. */
async function byApi({ client }: WalkTables, crbId: string): Promise<Page> {
  const spId = uuid("service provider", crbId);
  await createCrb(client, { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
  const { secret } = await issueCredential(client, {
    owner: { kind: "crb", id: crbId },
    spId,
    scopes: ["point-of-sale:read"],
  });
  return async (offset, limit) => {
    const event = requestEvent({
      resource: "/crbs/{crb_id}/customers",
      authorization: secret,
      path: { crb_id: crbId },
      query: { offset: [String(offset)], limit: [String(limit)] },
    });
    const answer = await listCustomers(event, testContext);
    if (answer.statusCode !== 200) throw new Error(`the API answered ${answer.statusCode}`);
    const { metadata, data } = JSON.parse(answer.body);
    return { metadata, ids: data.map(({ id }: { id: string }) => id) };
  };
}
