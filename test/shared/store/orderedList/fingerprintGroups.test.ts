import { randomUUID } from "node:crypto";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { afterEach, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { fingerprintsPartition, recordKey, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { FingerprintGroups, groupLifetimeMs } from "../../../../shared/store/orderedList/fingerprintGroups.ts";
import type { WriterOptions } from "../../../../shared/store/orderedList/recordWriter.ts";
import { costOf } from "../../../bench/capacity.ts";
import { createTestTable } from "../../../testTable.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { isWrite } from "../crashInjection.ts";
import { interceptCalls, newWriter, recordId, recordToWrite, setFence, TestClock } from "./listUnderTest.ts";

const table = useTestTable();
// Removes the functions that a test runs at calls of the table.
afterEach(() => void interceptCalls(table()));
const day = 24 * 60 * 60_000;
const size = 600;

/** A POS list whose order never changes, and full readings of it in pages. */
async function createList(records = size, segmentSize?: number) {
  const list = recordList(randomUUID(), "customer", segmentSize);
  const fence = { key: { pk: `LEASE of ${list.pk}`, sk: "LEASE" }, number: 1 };
  await setFence(table(), fence.key, fence.number);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const contents = new Map(Array.from({ length: records }, (_, name) => [name, 0]));
  const rowsOfPos = () => [...contents].map(([name, content]) => recordToWrite(name, content));
  const readAll = async (options: Partial<WriterOptions> = {}, pageSize = 250, isReadingAll = false) => {
    const writer = newWriter(table(), list, { fence, clock, ...options });
    const run = { isFromStart: true, isReadingAll, timezone: "UTC", clock, fence };
    const groups = new FingerprintGroups(table(), list, run);
    const rows = rowsOfPos();
    const total = { created: 0, changed: 0, unchanged: 0 };
    const ranks: string[] = [];
    for (let i = 0; i < rows.length; i += pageSize) {
      const written = await writer.write(rows.slice(i, i + pageSize), groups);
      total.created += written.created;
      total.changed += written.changed;
      total.unchanged += written.unchanged;
      ranks.push(...written.ranks);
    }
    await groups.finish();
    clock.advance(day);
    return { ...total, ranks };
  };
  const findAll = () =>
    new FingerprintGroups(table(), list, { isFromStart: true, timezone: "UTC", clock, fence }).find(
      rowsOfPos(),
      undefined,
    );
  const stored = async () => {
    const items = await table().queryPartition(list.pk, { consistent: true });
    return new Map(items.map(({ sk, body, rank }) => [sk, { ...JSON.parse(body as string), rank }]));
  };
  return { list, fence, clock, contents, rowsOfPos, readAll, findAll, stored };
}

/** Whether the id of a record begins a group. */
const beginsGroup = (name: number) => Number.parseInt(recordId(name).slice(0, 4), 16) % 64 === 0;

/** The content of every record in the table. */
async function contentsOf({ stored }: Awaited<ReturnType<typeof createList>>): Promise<Map<number, number>> {
  const records = [...(await stored()).values()].map(({ name, content }): [number, number] => [name, content]);
  return new Map(records.sort(([one], [other]) => one - other));
}

test("full readings of unchanged records cost less than 0.03 read units for each, from the third on", async () => {
  const { readAll, list } = await createList();
  await readAll();
  // Of new records, the second reading stores the fingerprints.
  expect(await table().queryPartition(fingerprintsPartition(list))).toHaveLength(0);
  await readAll();
  const { readUnits, writeUnits, result } = await costOf(table().client, readAll);
  expect(result).toMatchObject({ created: 0, changed: 0, unchanged: size });
  expect(writeUnits).toBe(0);
  expect(readUnits / size).toBeLessThan(0.03);
});

test("a reading of all records finds none by its fingerprint, and stores no fingerprint again", async () => {
  const { readAll } = await createList();
  for (let i = 0; i < 2; i++) await readAll();
  const { readUnits, writeUnits, result } = await costOf(table().client, () => readAll({}, 250, true));
  expect(result).toMatchObject({ created: 0, changed: 0, unchanged: size });
  expect(readUnits / size).toBeGreaterThan(0.4);
  expect(writeUnits).toBe(0);
});

test("full readings stay cheap if a few records change before each reading, and fingerprints add less than a unit for each", async () => {
  const { readAll, contents, list } = await createList();
  for (let i = 0; i < 3; i++) await readAll();
  const readings = 40;
  let [units, changes, puts] = [0, 0, 0];
  interceptCalls(table()).before = (command) => {
    if (command === "PutItemCommand") puts++;
  };
  for (let i = 0; i < readings; i++) {
    for (const name of [(i * 37) % size, (i * 101) % size]) contents.set(name, i + 1);
    const { readUnits, result } = await costOf(table().client, readAll);
    units += readUnits;
    changes += result.changed;
  }
  // The writes of changed records also read: the record, its segment, and its day.
  expect(units / (readings * size)).toBeLessThan(0.06);
  // An item of a group usually takes two write units.
  expect((2 * puts) / changes).toBeLessThan(0.75);
  expect(await table().queryPartition(fingerprintsPartition(list))).not.toHaveLength(0);
});

test("full readings stay cheap if the records are spread over many days with gaps", async () => {
  const { readAll, contents, clock } = await createList();
  await readAll();
  for (let days = 1; days <= 40; days++) {
    for (let i = 0; i < 25; i++) contents.set((days * 31 + i * 7) % size, days);
    await readAll();
    clock.advance(day);
  }
  await readAll();
  await readAll();
  const { readUnits, result } = await costOf(table().client, readAll);
  expect(result).toMatchObject({ changed: 0, unchanged: size });
  expect(readUnits / size).toBeLessThan(0.04);
});

test("the position of a record with a known fingerprint is that of the stored record", async () => {
  const { readAll, stored } = await createList(200);
  await readAll();
  await readAll();
  const { ranks } = await readAll();
  expect(new Set(ranks)).toEqual(new Set([...(await stored()).values()].map(({ rank }) => rank)));
});

test("a record that another writer changed is written when the POS still has its former content", async () => {
  const list = await createList(200);
  await list.readAll();
  await list.readAll();
  const writer = newWriter(table(), list.list, { fence: list.fence, clock: list.clock });
  await writer.write([recordToWrite(7, 1)]);
  list.clock.advance(day);
  expect(await list.readAll()).toMatchObject({ changed: 1, unchanged: 199 });
  expect((await contentsOf(list)).get(7)).toBe(0);
});

test("a record that one reading names with two contents has the last one", async () => {
  const list = await createList(200);
  await list.readAll();
  await list.readAll();
  const writer = newWriter(table(), list.list, { fence: list.fence, clock: list.clock });
  const groups = new FingerprintGroups(table(), list.list, {
    isFromStart: true,
    timezone: "UTC",
    clock: list.clock,
    fence: list.fence,
  });
  const rows = Array.from({ length: 200 }, (_, name) => recordToWrite(name, name === 150 ? 1 : 0));
  await writer.write(rows, groups);
  await writer.write([recordToWrite(150, 0), ...rows.slice(151, 160)], groups);
  await groups.finish();
  expect((await contentsOf(list)).get(150)).toBe(0);
});

test("after a rebuild of the list, no earlier fingerprint counts", async () => {
  const list = await createList(200);
  await list.readAll();
  await list.readAll();
  // In a table restored from a backup, a record can be older than the item of its group.
  const [id = "", older = { content: 0, rank: "" }] = [...(await list.stored())][20] ?? [];
  const { rank, ...record } = older;
  const torn = { hash: "older", body: JSON.stringify({ ...record, content: 5 }) };
  await table().update(recordKey(list.list, id), torn);
  await rebuildList(table(), list.list, { fence: list.fence, clock: list.clock });
  list.clock.advance(day);
  expect(await list.readAll()).toMatchObject({ changed: 1, unchanged: 199 });
  expect((await list.stored()).get(id)).toMatchObject({ content: 0 });
});

test("in a table restored from a backup, no fingerprint of the original table counts", async () => {
  const { readAll, list, fence, clock } = await createList(200);
  await readAll();
  await readAll();
  const restored = await createTestTable();
  const items = await table().queryPartition(fingerprintsPartition(list), { consistent: true });
  for (const item of items) await restored.put(item);
  const records = Array.from({ length: 200 }, (_, name) => recordToWrite(name, 0));
  const findIn = (each: Table) =>
    new FingerprintGroups(each, list, { isFromStart: true, timezone: "UTC", clock, fence }).find(records, undefined);
  expect((await findIn(table())).size).toBeGreaterThan(150);
  expect((await findIn(restored)).size).toBe(0);
});

test("after a restore of older items, a fingerprint with an unallocated position hides no change", async () => {
  const { list, contents, readAll, stored, clock } = await createList(200);
  await readAll();
  contents.set(20, 1);
  await readAll();
  const { dayIndexPartition, slots } = list.orders.rank;
  const older = (await Promise.all([list.pk, dayIndexPartition, slots].map((pk) => table().queryPartition(pk)))).flat();
  // The next changes are on a day that the older items have, too.
  clock.advance(-day);
  for (let name = 100; name < 200; name++) contents.set(name, 1);
  expect(await readAll()).toMatchObject({ changed: 100, unchanged: 100 });
  await readAll();
  for (const item of older) await table().put(item);
  expect(await readAll()).toMatchObject({ changed: 100, unchanged: 100 });
  expect((await stored()).get(recordId(150))).toMatchObject({ content: 1 });
});

test("items that are in use are written again before they expire", async () => {
  const { readAll, list, clock } = await createList(200);
  await readAll();
  await readAll();
  const items = () => table().queryPartition(fingerprintsPartition(list), { consistent: true });
  const before = await items();
  expect(before.length).toBeGreaterThan(1);
  for (let days = 0; days < 16; days++) await readAll();
  const after = await items();
  expect(after.map(({ sk }) => sk)).toEqual(before.map(({ sk }) => sk));
  const earliest = clock.time + groupLifetimeMs / 2 - 2 * day;
  for (const { expires } of after) {
    expect((expires as number) * 1_000).toBeGreaterThan(earliest);
    expect((expires as number) * 1_000).toBeLessThan(clock.time + groupLifetimeMs);
  }
});

test("an item has no fingerprint of a record that is new in its group", async () => {
  const { readAll, contents, findAll } = await createList(200);
  await readAll();
  contents.set(200, 0);
  expect(await readAll()).toMatchObject({ created: 1, unchanged: 200 });
  const found = await findAll();
  expect([199, 200].map((name) => found.has(recordId(name)))).toEqual([true, false]);
});

test("an item has at most 1,024 fingerprints", async () => {
  const { readAll, contents, list } = await createList(0);
  for (let name = 0; contents.size < 1_100; name++) if (!beginsGroup(name)) contents.set(name, 0);
  await readAll();
  await readAll();
  const items = await table().queryPartition(fingerprintsPartition(list));
  expect(items).toMatchObject([{ fingerprints: { length: 1_024 * 16 } }]);
});

test.each([["in one page"], ["in two pages"]])(
  "a group whose records the POS repeats from its first one on, %s, is stored",
  async (where) => {
    const { readAll, rowsOfPos, contents, list, fence, clock } = await createList(400);
    await readAll();
    const rows = rowsOfPos();
    const begin = [...contents.keys()].find(beginsGroup) ?? expect.fail("no group");
    const [before, repeated] = [rows.slice(0, begin + 8), rows.slice(begin)];
    const writer = newWriter(table(), list, { fence, clock });
    const groups = new FingerprintGroups(table(), list, { isFromStart: true, timezone: "UTC", clock, fence });
    const pages = where === "in one page" ? [[...before, ...repeated]] : [before, repeated];
    for (const page of pages) await writer.write(page, groups);
    await groups.finish();
    const items = await table().queryPartition(fingerprintsPartition(list));
    expect(items.map(({ sk }) => sk)).toContain(recordId(begin));
  },
);

test("a run that continues inside a group stores no item for it, and takes an empty page", async () => {
  const { readAll, rowsOfPos, contents, list, fence, clock } = await createList(400);
  await readAll();
  const rows = rowsOfPos();
  const writer = newWriter(table(), list, { fence, clock });
  const groups = new FingerprintGroups(table(), list, { isFromStart: false, timezone: "UTC", clock, fence });
  for (const page of [rows.slice(0, 200), [], rows.slice(200)]) await writer.write(page, groups);
  await groups.finish();
  const items = await table().queryPartition(fingerprintsPartition(list));
  const begins = [...contents.keys()].filter(beginsGroup).map(recordId).sort();
  expect(begins.length).toBeGreaterThan(1);
  expect(items.map(({ sk }) => sk)).toEqual(begins);
});

test("a run goes on if the table is unavailable for the item of a group, and fails at other errors", async () => {
  const { readAll, list } = await createList(100);
  await readAll();
  const calls = interceptCalls(table());
  const failWith = (error: Error) => {
    calls.before = (command, input) => {
      if (isWrite(command) && JSON.stringify(input).includes(fingerprintsPartition(list))) throw error;
    };
  };
  failWith(new ServiceError("unavailable"));
  expect(await readAll()).toMatchObject({ unchanged: 100 });
  failWith(new ServiceError("conflict"));
  await expect(readAll()).rejects.toMatchObject({ kind: "conflict" });
});

test("a writer that has lost its lease stores no item, neither a new one nor one that was deleted meanwhile", async () => {
  const { readAll, list, fence, rowsOfPos, clock } = await createList(200);
  const items = () => table().queryPartition(fingerprintsPartition(list), { consistent: true });
  const late = async () => {
    const groups = new FingerprintGroups(table(), list, { isFromStart: true, timezone: "UTC", clock, fence });
    await newWriter(table(), list, { fence, clock }).write(rowsOfPos(), groups);
    await setFence(table(), fence.key, fence.number + 1);
    await table().batchDelete((await items()).map(({ pk, sk }) => ({ pk, sk })));
    await groups.finish();
  };
  await readAll();
  await expect(late()).rejects.toThrow(LeaseLostError);
  expect(await items()).toEqual([]);
  await setFence(table(), fence.key, fence.number);
  await readAll();
  expect(await items()).not.toEqual([]);
  // The items are due again.
  clock.advance(0.6 * groupLifetimeMs);
  await late();
  expect(await items()).toEqual([]);
});

test("records are read if their fingerprints are unavailable, and other errors end the run", async () => {
  const { readAll, list } = await createList(100);
  await readAll();
  await readAll();
  const calls = interceptCalls(table());
  let failures = 0;
  const failWith = (error: Error) => {
    calls.before = (_, input) => {
      if (!JSON.stringify(input).includes(fingerprintsPartition(list))) return;
      failures++;
      throw error;
    };
  };
  failWith(new ServiceError("unavailable"));
  expect(await readAll()).toMatchObject({ unchanged: 100 });
  expect(failures).toBeGreaterThan(0);
  failWith(new Error("killed"));
  await expect(readAll()).rejects.toThrow("killed");
});

test("every reading of a random history stores the content of the POS", async () => {
  const random = xoroshiro128plus(44);
  const below = (bound: number) => (random.next() >>> 0) % bound;
  const list = await createList(150, 8);
  const { contents } = list;
  for (let reading = 0; reading < 40; reading++) {
    const pageSize = [40, 64, 250][below(3)];
    await list.readAll({}, pageSize);
    expect(await contentsOf(list)).toMatchObject(new Map([...contents].sort(([one], [other]) => one - other)));
    const names = [...contents.keys()];
    for (let i = below(8); i > 0; i--) {
      const name = names[below(names.length)] as number;
      // Few contents, so that records often change back. A record that moves to the end shifts the list.
      if (below(3) === 0) contents.delete(name);
      contents.set(name, below(3));
    }
    if (below(3) === 0) {
      const writer = newWriter(table(), list.list, { fence: list.fence, clock: list.clock });
      await writer.write(Array.from({ length: 5 }, () => recordToWrite(names[below(150)] as number, below(3))));
      if (below(2) === 0) list.clock.advance(day);
    }
  }
});
