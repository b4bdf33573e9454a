import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { handler as listCustomers } from "../../../functions/customers/listCustomers.ts";
import { createTable } from "../../../infra/local/createTable.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import { replicatedKinds } from "../../../shared/domain/replication/replicatedKinds.ts";
import type { Connection, Connector, PullPage } from "../../../shared/pos/connector.ts";
import { Table } from "../../../shared/store/client.ts";
import { extractCustomerIndexedFields } from "../../../shared/store/customers.ts";
import { followChanges } from "../../../shared/store/followChanges.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { parsePosition } from "../../../shared/store/keys/positions.ts";
import { readPage, readPositionedPage } from "../../../shared/store/orderedList/readPage.ts";
import type { RecordToWrite } from "../../../shared/store/orderedList/recordWriter.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { type Bench, count } from "../bench.ts";
import { compare } from "../compare.ts";
import { type Business, callOf, createBusiness, standingFence } from "../data/business.ts";
import { daysAgo, indexes, pageSize, scattered } from "../data/fill.ts";
import { customerMaker, type RecordMaker } from "../data/records.ts";
import { makingPos } from "../memory/makingPos.ts";
import { findPostgres, startPostgres } from "../postgres/postgresServer.ts";
import {
  createApi,
  createTables,
  followRows,
  indexTables,
  type Row,
  storeAccess,
  upsert,
} from "../postgres/postgresService.ts";

const limit = 1_000;
/** The records of the lists that change while they are read. */
const busyRecords = 10_000;

/** The design with PostgreSQL, ready for use. */
interface Rival {
  pool: pg.Pool;
  api: FastifyInstance;
}

/**
 * Compares the service with the same list on PostgreSQL, side by side: pages, totals, a filter, pagination during writes,
 * followers, and replication. Nothing has a bar. A ratio is PostgreSQL's time as a multiple of the service's time.
 */
export async function postgres(bench: Bench): Promise<void> {
  const programs = findPostgres();
  if (!programs) {
    bench.skip("This machine has no PostgreSQL 15 or newer (on Debian: apt-get install postgresql).");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "bench-postgres-"));
  const server = await startPostgres(programs, folder);
  const pool = new pg.Pool({ ...server.connection, max: 4 });
  const api = createApi(pool);
  try {
    const rival = { pool, api };
    await createTables(pool);
    const business = await bench.data.customers(bench.records);
    await copyCustomers(bench, rival, business);
    await comparePages(bench, rival, business);
    await comparePagination(bench, rival);
    await compareFollowers(bench, rival);
    await compareReplication(bench, rival);
  } finally {
    await api.close();
    await pool.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies the list with the same texts, times and order, so that both designs return the same pages. */
async function copyCustomers({ table, records, progress }: Bench, { pool }: Rival, business: Business): Promise<void> {
  await storeAccess(pool, business);
  const list = recordList(business.crbId, "customer");
  let total = 1;
  for (let offset = 0; offset < total; offset += limit) {
    progress(`Copying ${count(offset)} of ${count(records)} customers to PostgreSQL`);
    const page = await readPositionedPage(table, list, { offset, limit });
    total = page.total;
    await upsert(
      pool,
      business.crbId,
      page.places.map(({ rank, value }) => rowOf(value, timeOf(rank))),
    );
  }
  progress("Creating PostgreSQL's indexes");
  await indexTables(pool);
}

const rowOf = (body: string, changed: string): Row => {
  const content = JSON.parse(body);
  const terms = extractCustomerIndexedFields(content).map(({ field, value }) => `${field}:${value}`);
  return { id: content.id, changed, body, terms };
};

/** A time on the day of a position, a microsecond for each sequence number. */
function timeOf(rank: string): string {
  const { day, slot } = parsePosition(rank);
  const seconds = Math.floor(slot / 1e6);
  const time = new Date(Date.parse(`${day}T12:00:00Z`) + seconds * 1_000).toISOString().slice(0, 19);
  return `${time}.${String(slot % 1e6).padStart(6, "0")}Z`;
}

async function comparePages(bench: Bench, { api }: Rival, business: Business): Promise<void> {
  const { records } = bench;
  const deep = records - Math.max(limit, records / 100);
  const windows: [name: string, query: Record<string, string | number>, rounds: number][] = [
    [`Page of ${count(limit)} at offset 0, N = ${count(records)}`, { limit }, 15],
    [`Page of ${count(limit)} at offset ${count(deep)}, N = ${count(records)}`, { limit, offset: deep }, 9],
    [`Page of 10 at offset 0, N = ${count(records)}`, { limit: 10 }, 15],
    [
      `Changed in the last 7 days, first page of ${count(limit)}, N = ${count(records)}`,
      { limit, last_updated_from: daysAgo(7) },
      15,
    ],
  ];
  for (const [name, query, rounds] of windows) {
    bench.progress(`Timing: ${name}`);
    const service = callOf(listCustomers, business, "/customers", { query });
    const rival = () => pageOf(api, business, query);
    const [ours, theirs] = [JSON.parse(await service()), JSON.parse(await rival())];
    const differs = JSON.stringify(idsAndTotal(ours)) !== JSON.stringify(idsAndTotal(theirs));
    if (differs) throw new Error(`${name}: the two designs return different pages`);
    const { milliseconds, ratio } = await compare({ service, postgres: rival }, { rounds });
    report(bench, `${name}, with its exact total (${count(ours.metadata.total)})`, milliseconds, ratio);
  }
}

const idsAndTotal = ({ metadata, data }: { metadata: { total: number }; data: { id: string }[] }) => [
  metadata.total,
  data.map(({ id }) => id),
];

/** Calls PostgreSQL's design from the event to the response, without a socket between, like the service's handler. */
async function pageOf(
  api: FastifyInstance,
  { spId, crbId, secret }: Business,
  query: Record<string, string | number>,
): Promise<string> {
  const { statusCode, body } = await api.inject({
    url: `/service-providers/${spId}/crbs/${crbId}/customers`,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    headers: { authorization: secret },
  });
  if (statusCode !== 200) throw new Error(`PostgreSQL's design answered ${statusCode}: ${body}`);
  return body;
}

type Times = Record<"service" | "postgres", number>;

function report(
  bench: Bench,
  name: string,
  { service, postgres }: Times,
  ratio: (of: keyof Times, to: keyof Times) => number,
) {
  bench.figure(`${name}: time of the service`, service, "ms");
  bench.figure(`${name}: time of PostgreSQL`, postgres, "ms");
  bench.figure(`${name}: PostgreSQL against the service`, ratio("postgres", "service"), "times");
}

/** A list that changes while it is read, in one of the two designs. */
interface BusyList {
  /** Writes records in a version, as a page of a POS. */
  write(numbers: readonly number[], version: number): Promise<void>;
  /** Returns the ids of a page, and the total. */
  read(offset: number): Promise<{ ids: string[]; total: number }>;
  idOf(index: number): string;
}

/** Reads all pages of a list while records of it change, and counts the records that the pages lack or repeat. */
async function comparePagination(bench: Bench, rival: Rival): Promise<void> {
  const lists = { service: await serviceList(bench), PostgreSQL: await postgresList(bench, rival) };
  for (const [name, list] of Object.entries(lists)) {
    bench.progress(`Reading the pages of a list that changes, ${name}`);
    const random = xoroshiro128plus(1);
    const changed = new Set<string>();
    const times = new Map<string, number>();
    let [total, version] = [1, 1];
    for (let offset = 0; offset < total; offset += limit) {
      const numbers = [...scattered(random, busyRecords, pageSize / busyRecords)];
      const [page] = await Promise.all([list.read(offset), list.write(numbers, version)]);
      for (const index of numbers) changed.add(list.idOf(index));
      for (const id of page.ids) times.set(id, (times.get(id) ?? 0) + 1);
      total = page.total;
      version++;
    }
    const missed = [...indexes(busyRecords)].map(list.idOf).filter((id) => !times.has(id));
    const title = `Pagination of ${count(busyRecords)} while ${count(changed.size)} of them change, ${name}`;
    bench.figure(`${title}: unchanged records missed`, missed.filter((id) => !changed.has(id)).length, "records");
    bench.figure(`${title}: changed records missed`, missed.filter((id) => changed.has(id)).length, "records");
    bench.figure(`${title}: records read twice`, [...times.values()].filter((each) => each > 1).length, "records");
  }
}

/** Normalizes the customers of a POS. */
const normalizer = (connection: Connection, make: RecordMaker<"customer">) => (index: number, version: number) => {
  const record = replicatedKinds.customer.normalize(connection, make(index, version));
  if (!record) throw new Error(`no record can be made of customer ${index}`);
  return record as RecordToWrite;
};

async function serviceList(bench: Bench): Promise<BusyList & { crbId: string; table: Table }> {
  const { table } = bench.scratch;
  const { connection, crbId } = await createBusiness(table);
  const normalize = normalizer(connection, await customerMaker(connection));
  const list = recordList(crbId, "customer");
  const options = {
    fence: await standingFence(table, crbId, "customer"),
    extractIndexedFields: extractCustomerIndexedFields,
  };
  const writer = new RecordWriter(table, list, options);
  const write = async (numbers: readonly number[], version: number) => {
    await writer.write(numbers.map((index) => normalize(index, version)));
  };
  bench.progress(`Writing ${count(busyRecords)} customers`);
  for (const page of pages(busyRecords)) await write(page, 0);
  return {
    crbId,
    table,
    write,
    idOf: (index) => normalize(index, 0).id,
    read: async (offset) => {
      const { total, records } = await readPage(table, list, { offset, limit });
      return { total, ids: records.map((body) => JSON.parse(body).id) };
    },
  };
}

async function postgresList(bench: Bench, { pool, api }: Rival): Promise<BusyList & { crbId: string }> {
  const { connection, ...business } = await createBusiness(bench.scratch.table);
  await storeAccess(pool, { connection, ...business });
  const normalize = normalizer(connection, await customerMaker(connection));
  const write = async (numbers: readonly number[], version: number) => {
    const changed = new Date().toISOString();
    const rows = numbers.map((index) => rowOf(JSON.stringify(normalize(index, version).content), changed));
    await upsert(pool, business.crbId, rows);
  };
  for (const page of pages(busyRecords)) await write(page, 0);
  return {
    crbId: business.crbId,
    write,
    idOf: (index) => normalize(index, 0).id,
    read: async (offset) => {
      const { metadata, data } = JSON.parse(await pageOf(api, { connection, ...business }, { limit, offset }));
      return { total: metadata.total, ids: data.map(({ id }: { id: string }) => id) };
    },
  };
}

function* pages(records: number): Generator<number[]> {
  for (let first = 0; first < records; first += pageSize) {
    yield Array.from({ length: Math.min(pageSize, records - first) }, (_, i) => first + i);
  }
}

/** Follows the changes of a list by cursor while writers change it, and counts the records whose change never comes. */
async function compareFollowers(bench: Bench, rival: Rival): Promise<void> {
  const ours = await serviceList(bench);
  const list = recordList(ours.crbId, "customer");
  const start = await lastCursor(ours.table, ours.crbId);
  let cursor = start;
  const missedByOurs = await missedByFollower(ours, 1, async (note) => {
    const changes = await followChanges(ours.table, list, { cursor, limit });
    for (const { value } of changes.places) note(JSON.parse(value).id);
    cursor = changes.createCursorAfter(changes.places.length);
    return changes.places.length;
  });
  const title = "Changes by cursor during writes";
  bench.figure(`${title}, service, whose lease allows one writer: records missed`, missedByOurs, "records");
  for (const writers of [1, 2]) {
    const theirs = await postgresList(bench, rival);
    let after = { changed: new Date().toISOString(), id: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
    const missed = await missedByFollower(theirs, writers, async (note) => {
      const rows = await followRows(rival.pool, theirs.crbId, after, limit);
      for (const { id } of rows) note(id);
      after = rows.at(-1) ?? after;
      return rows.length;
    });
    const name = `${title}, PostgreSQL, ${writers === 1 ? "one writer" : "two writers at the same time"}`;
    bench.figure(`${name}: records missed`, missed, "records");
  }
}

/** The cursor at the end of a list. */
async function lastCursor(table: Table, crbId: string): Promise<string | undefined> {
  const list = recordList(crbId, "customer");
  let cursor: string | undefined;
  for (;;) {
    const changes = await followChanges(table, list, { cursor, limit });
    cursor = changes.createCursorAfter(changes.places.length);
    if (!changes.hasMore) return cursor;
  }
}

/**
 * Lets writers change the whole list once, each its own share, while a follower reads.
 * @param follow reads the next changes, passes their ids on, and returns their number
 */
async function missedByFollower(
  { write, idOf }: BusyList,
  writers: number,
  follow: (note: (id: string) => void) => Promise<number>,
): Promise<number> {
  const seen = new Set<string>();
  const note = (id: string) => seen.add(id);
  let isWriting = true;
  const writing = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const all = [...pages(busyRecords)].filter((_, page) => page % writers === writer);
      for (const page of all) await write(page, 1);
    }),
  ).finally(() => {
    isWriting = false;
  });
  const following = (async () => {
    while (isWriting) await follow(note);
    while ((await follow(note)) > 0);
  })();
  await Promise.all([writing, following]);
  return [...indexes(busyRecords)].map(idOf).filter((id) => !seen.has(id)).length;
}

/** Compares the replication of customers from a POS in this process: the first reading, and a full one without changes. */
async function compareReplication(bench: Bench, { pool }: Rival): Promise<void> {
  const records = 1_000;
  bench.progress("Timing replication on both designs");
  const { client } = bench.scratch.table;
  const makeShop = async (table: Table) => {
    const { connection } = await createBusiness(table);
    return { connection, pos: makingPos(records, await customerMaker(connection)) };
  };
  type Shop = Awaited<ReturnType<typeof makeShop>>;
  let ours: (Shop & { table: Table }) | undefined;
  let theirs: Shop | undefined;
  const first = await compare(
    {
      service: async () => {
        const table = new Table(`postgres-${randomUUID()}`, client);
        await createTable(client, table.name);
        ours = { table, ...(await makeShop(table)) };
        const result = await replicate(table, ours.connection, ours.pos, "customer");
        if (!("created" in result && result.created === records)) throw new Error(JSON.stringify(result));
      },
      postgres: async () => {
        theirs = await makeShop(bench.scratch.table);
        const written = await replicateToPostgres(pool, theirs.connection, theirs.pos);
        if (written !== records) throw new Error(`PostgreSQL's design stored ${written} of ${records} records`);
      },
    },
    { rounds: 9, warmUp: 2 },
  );
  const name = `Replication of ${count(records)} customers`;
  report(bench, `${name}, all new`, first.milliseconds, first.ratio);
  if (!ours || !theirs) return;
  const { table, connection, pos } = ours;
  const other = theirs;
  const again = await compare(
    {
      service: async () => {
        const result = await replicate(table, connection, pos, "customer", { isFullRead: true });
        if (!("unchanged" in result && result.unchanged === records)) throw new Error(JSON.stringify(result));
      },
      postgres: async () => {
        const written = await replicateToPostgres(pool, other.connection, other.pos);
        if (written !== 0) throw new Error(`PostgreSQL's design stored ${written} unchanged records`);
      },
    },
    { rounds: 9, warmUp: 2 },
  );
  report(bench, `${name}, all unchanged`, again.milliseconds, again.ratio);
}

/** Reads all pages of a POS and stores each in one transaction. @returns the number of stored records */
async function replicateToPostgres(pool: pg.Pool, connection: Connection, pos: Connector): Promise<number> {
  let stored = 0;
  let position: string | null = null;
  do {
    const now = new Date();
    const page: PullPage<"customer"> = await pos.pull(connection, { kind: "customer", since: null, position, now });
    const rows = page.records.map((record) => {
      const { content } = replicatedKinds.customer.normalize(connection, record) ?? {};
      return rowOf(JSON.stringify(content), now.toISOString());
    });
    stored += await upsert(pool, connection.crbId, rows);
    position = "position" in page.next ? page.next.position : null;
  } while (position !== null);
  return stored;
}
