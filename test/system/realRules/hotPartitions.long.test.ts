import { randomBytes, randomUUID } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { acquireLease } from "../../../shared/domain/replication/acquireLease.ts";
import { RejectedRecords, readRejected } from "../../../shared/domain/replication/rejectedRecords.ts";
import type { ReplicationLease } from "../../../shared/domain/replication/replicationLease.ts";
import { SeenPositions } from "../../../shared/domain/replication/seenPositions.ts";
import type { Table } from "../../../shared/store/client.ts";
import { sequenceEvents } from "../../../shared/store/eventLog/sequenceEvents.ts";
import { eventsPartition, waitingEventsKey } from "../../../shared/store/keys/events.ts";
import { fenceKey } from "../../../shared/store/keys/replication.ts";
import { removePartition } from "../../../shared/store/removePartition.ts";
import { newList, newWriter, pageOf, recordToWrite, setFence } from "../../shared/store/orderedList/listUnderTest.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { RealRules } from "./realRules.ts";

// A partition accepts 1,000 write units per second. A transaction uses twice the KB of each item.

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

function givenWorld() {
  const world = new RealRules({ seed: 1, start: "2026-03-01T10:00:00.000Z", stalls: 0, skew: 0 });
  const table = testTableOf(shared, world.clock);
  world.attach(table);
  return { world, table };
}

async function givenList() {
  const { world, table } = givenWorld();
  const { list, fence } = await newList(shared);
  return { world, table, list, writer: newWriter(table, list, { fence, clock: world.clock }) };
}

/** Records with a text of this size. */
const records = (count: number, kilobytes: number, version = 0) =>
  Array.from({ length: count }, (_, name) => {
    const { id, content } = recordToWrite(name, version);
    return { id, content: { ...content, text: "x".repeat(1_024 * kilobytes) } };
  });

const throttledCalls = (world: RealRules) => world.history().match(/Throttling|ProvisionedThroughput/g)?.length ?? 0;

/** The number of records in each transaction that began. */
const transactionsOf = (world: RealRules, pk: string) =>
  [...world.history().matchAll(/begins: (.*)/g)].map(([, writes = ""]) => writes.split(`Put ${pk} `).length - 1);

test("60 records of 20 KB are stored, although together they need 2,520 units", async () => {
  const { world, list, writer } = await givenList();
  expect(await writer.write(records(60, 20))).toMatchObject({ created: 60 });
  expect(Math.max(...transactionsOf(world, list.pk))).toBe(11);
  expect(await writer.write(records(60, 20, 1))).toMatchObject({ changed: 60 });
  expect(await pageOf(shared, list, { offset: 0, limit: 1_000 })).toMatchObject({ total: 60, records: { length: 60 } });
});

test("records of almost 400 KB are stored one by one", async () => {
  const { world, list, writer } = await givenList();
  expect(await writer.write(records(4, 398))).toMatchObject({ created: 4 });
  expect(transactionsOf(world, list.pk)).toEqual([1, 1, 1, 1]);
});

test("a throttled transaction is repeated at half the size, and later ones become larger again", async () => {
  const { world, table, list, writer } = await givenList();
  await writer.write(records(60, 0));
  await world.clock.sleep(60_000);
  const before = transactionsOf(world, list.pk).length;
  const throttled = throttledCalls(world);
  // Another writer takes most of the partition's units.
  await Promise.all(
    [1, 2, 3].map((name) => table.put({ pk: list.pk, sk: `another ${name}`, text: "x".repeat(320 * 1_024) })),
  );
  expect(await writer.write(records(60, 0, 1))).toMatchObject({ changed: 60 });
  expect(throttledCalls(world)).toBeGreaterThan(throttled);
  // Only transactions that were not throttled are counted.
  expect(transactionsOf(world, list.pk).slice(before)).toEqual([30, 30]);
  await world.clock.sleep(60_000);
  await writer.write(records(60, 0, 2));
  await world.clock.sleep(60_000);
  await writer.write(records(60, 0, 3));
  expect(transactionsOf(world, list.pk).at(-1)).toBe(60);
  expect(await pageOf(shared, list, { offset: 0, limit: 1_000 })).toMatchObject({ total: 60, records: { length: 60 } });
});

test("the names of 100,000 rejected records are stored", async () => {
  const { world, table } = givenWorld();
  const crbId = randomUUID();
  const key = fenceKey(crbId, "product");
  await setFence(shared, key, 1);
  const context = { table, clock: world.clock, fence: { key, number: 1 }, connection: { crbId } };
  const rejected = await RejectedRecords.load(context as never, "product", world.clock.now());
  const all = Array.from({ length: 100_000 }, (_, i) => ({ posId: `${i}`, field: "name", reason: "invalid_type" }));
  await rejected.recordPage(all, [], 0);
  expect(await readRejected(shared, crbId, "product")).toHaveLength(200);
});

test("a long run deletes its list of seen records at its end", async () => {
  const { world, table } = givenWorld();
  const crbId = randomUUID();
  const sets = Array.from({ length: 2_000 }, (_, i) => {
    const number = Buffer.alloc(8);
    number.writeDoubleBE(i);
    return Buffer.concat([number, randomBytes(512)]);
  });
  const seen = SeenPositions.ofParts([deflateRawSync(Buffer.concat(sets))]);
  const counts = { created: 0, changed: 0, unchanged: 0, rejected: 0, read: 0 };
  const first = (await acquireLease(table, crbId, "product", world.clock)) as ReplicationLease;
  await first.save("page 2", counts, null);
  await first.release(seen);
  const stored = () => shared.queryPartition(fenceKey(crbId, "product").pk, { prefix: "SEEN", consistent: true });
  expect(await stored()).toHaveLength(3);
  const last = (await acquireLease(table, crbId, "product", world.clock)) as ReplicationLease;
  await last.finish({ watermark: "1" }, counts);
  expect(await stored()).toEqual([]);
});

test("events get their positions while 390 KB of another business's events wait", async () => {
  const { world, table } = givenWorld();
  const pk = eventsPartition(randomUUID(), 1);
  const waitingOf = (crbId: string, count: number) =>
    shared.put({
      ...waitingEventsKey(pk, crbId),
      waiting: Array.from({ length: count }, (_, n) => JSON.stringify({ n, text: "x".repeat(380) })),
    });
  await waitingOf("first", 60);
  await waitingOf("second", 970);
  expect(await sequenceEvents(table, pk, world.clock, { minTotalMs: 60_000 })).toMatchObject({ seq: 1_030 });
});

test("a partition of many MB is removed", async () => {
  const { table } = givenWorld();
  const pk = randomUUID();
  for (let i = 0; i < 60; i++) await shared.put({ pk, sk: `${i}`, text: "x".repeat(50 * 1_024) });
  const counts: number[] = [];
  await removePartition(table, pk, (count) => counts.push(count));
  expect(counts.reduce((sum, count) => sum + count)).toBe(60);
  expect(await shared.queryPartition(pk)).toEqual([]);
});
