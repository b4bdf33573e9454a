import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { afterEach, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { groupsOf } from "../../../../shared/store/groups.ts";
import { fingerprintsPartition, recordKey } from "../../../../shared/store/keys/orderedLists.ts";
import { rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { FingerprintGroups, groupLifetimeMs } from "../../../../shared/store/orderedList/fingerprintGroups.ts";
import { costOf } from "../../../bench/capacity.ts";
import { tableOf } from "../../../tableCopy.ts";
import { createTestTable } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { isWrite } from "../crashInjection.ts";
import { interceptCalls, newList, recordId, recordToWrite, setFence } from "./listUnderTest.ts";

const table = await createTestTable();
// Removes the functions that a test runs at calls of the table.
afterEach(() => void interceptCalls(table));
const day = 24 * 60 * 60_000;
const size = 600;

type Rows = ReturnType<typeof recordToWrite>[];

/** A POS list whose order never changes, and full readings of it in pages. */
async function createList({ records = size, segmentSize = 4_096, readings = 0 } = {}) {
  const given = await newList(table, { segmentSize });
  const { list, fence, clock, writer } = given;
  const contents = new Map(Array.from({ length: records }, (_, name) => [name, 0]));
  const rowsOfPos = () => [...contents].map(([name, content]) => recordToWrite(name, content));
  const groups = ({ isFromStart = true, isReadingAll = false, on = table } = {}) =>
    new FingerprintGroups(on, list, { isFromStart, isReadingAll, timezone: "UTC", clock, fence });
  /** Reads pages of the POS by one writer. */
  const read = async (pages: readonly Rows[], options: { isFromStart?: boolean; isReadingAll?: boolean } = {}) => {
    const [run, ofRun] = [writer(), groups(options)];
    const written: Awaited<ReturnType<typeof run.write>>[] = [];
    for (const page of pages) written.push(await run.write(page, ofRun));
    await ofRun.finish();
    const sum = (count: "created" | "changed" | "unchanged") => written.reduce((total, page) => total + page[count], 0);
    const ranks = written.flatMap((page) => page.ranks);
    return { created: sum("created"), changed: sum("changed"), unchanged: sum("unchanged"), ranks };
  };
  const readAll = async ({ pageSize = 250, isReadingAll = false } = {}) => {
    const total = await read(groupsOf(rowsOfPos(), pageSize), { isReadingAll });
    clock.advance(day);
    return total;
  };
  const items = () => table.queryPartition(fingerprintsPartition(list), { consistent: true });
  const stored = async () => {
    const records = await table.queryPartition(list.pk, { consistent: true });
    return new Map(records.map(({ sk, body, rank }) => [sk, { ...JSON.parse(body as string), rank }]));
  };
  for (let i = 0; i < readings; i++) await readAll();
  return { ...given, contents, rowsOfPos, groups, read, readAll, items, stored };
}

/** A list of 200 records whose fingerprints are stored: of new records, by the second reading. */
const createKnownList = () => createList({ records: 200, readings: 2 });

/** Whether the id of a record begins a group. */
const beginsGroup = (name: number) => Number.parseInt(recordId(name).slice(0, 4), 16) % 64 === 0;

test("full readings of unchanged records cost less than 0.03 read units for each, from the third on", async () => {
  const { readAll, items } = await createList({ readings: 1 });
  expect(await items()).toHaveLength(0);
  await readAll();
  const { readUnits, writeUnits, result } = await costOf(table.client, readAll);
  expect(result).toMatchObject({ created: 0, changed: 0, unchanged: size });
  expect(writeUnits).toBe(0);
  expect(readUnits / size).toBeLessThan(0.03);
});

test("a reading of all records finds none by its fingerprint, and stores no fingerprint again", async () => {
  const { readAll } = await createList({ readings: 2 });
  const { readUnits, writeUnits, result } = await costOf(table.client, () => readAll({ isReadingAll: true }));
  expect(result).toMatchObject({ created: 0, changed: 0, unchanged: size });
  expect(readUnits / size).toBeGreaterThan(0.4);
  expect(writeUnits).toBe(0);
});

test("full readings stay cheap if a few records change before each reading, and fingerprints add less than a unit for each", async () => {
  const { readAll, contents, items } = await createList({ readings: 3 });
  const readings = isThorough ? 40 : 12;
  let [units, changes, puts] = [0, 0, 0];
  interceptCalls(table).before = (command) => void (command === "PutItemCommand" && puts++);
  for (let i = 0; i < readings; i++) {
    for (const name of [(i * 37) % size, (i * 101) % size]) contents.set(name, i + 1);
    const { readUnits, result } = await costOf(table.client, readAll);
    units += readUnits;
    changes += result.changed;
  }
  // The writes of changed records also read: the record, its segment, and its day.
  expect(units / (readings * size)).toBeLessThan(0.06);
  // An item of a group usually takes two write units.
  expect((2 * puts) / changes).toBeLessThan(0.75);
  expect(await items()).not.toHaveLength(0);
});

test("full readings stay cheap if the records are spread over many days with gaps", async () => {
  const { readAll, contents, clock } = await createList({ readings: 1 });
  for (let days = 1; days <= (isThorough ? 40 : 16); days++) {
    for (let i = 0; i < 25; i++) contents.set((days * 31 + i * 7) % size, days);
    await readAll();
    clock.advance(day);
  }
  for (let i = 0; i < 2; i++) await readAll();
  const { readUnits, result } = await costOf(table.client, readAll);
  expect(result).toMatchObject({ changed: 0, unchanged: size });
  expect(readUnits / size).toBeLessThan(0.04);
});

test("the position of a record with a known fingerprint is that of the stored record", async () => {
  const { readAll, stored } = await createKnownList();
  const { ranks } = await readAll();
  expect(new Set(ranks)).toEqual(new Set([...(await stored()).values()].map(({ rank }) => rank)));
});

test("a record that one reading names with two contents has the last one", async () => {
  const { rowsOfPos, read, stored } = await createKnownList();
  const changed = (name: number, content: number) => rowsOfPos().with(name, recordToWrite(name, content));
  await read([changed(150, 1), changed(150, 0).slice(150, 160)]);
  expect((await stored()).get(recordId(150))).toMatchObject({ content: 0 });
});

test("after a rebuild of the list, no earlier fingerprint counts", async () => {
  const { list, fence, clock, readAll, stored } = await createKnownList();
  // In a table restored from a backup, a record can be older than the item of its group.
  const [id = "", older = { content: 0, rank: "" }] = [...(await stored())][20] ?? [];
  const { rank, ...record } = older;
  await table.update(recordKey(list, id), { hash: "older", body: JSON.stringify({ ...record, content: 5 }) });
  await rebuildList(table, list, { fence, clock });
  clock.advance(day);
  expect(await readAll()).toMatchObject({ changed: 1, unchanged: 199 });
  expect((await stored()).get(id)).toMatchObject({ content: 0 });
});

test("in a table restored from a backup, no fingerprint of the original table counts", async () => {
  const { groups, rowsOfPos, items } = await createKnownList();
  const restored = await tableOf(await items());
  const found = await Promise.all([table, restored].map((on) => groups({ on }).find(rowsOfPos(), undefined)));
  expect(found[0]?.size).toBeGreaterThan(150);
  expect(found[1]?.size).toBe(0);
});

test("after a restore of older items, a fingerprint with an unallocated position hides no change", async () => {
  const { list, contents, readAll, stored, clock } = await createList({ records: 200, readings: 1 });
  contents.set(20, 1);
  await readAll();
  const { dayIndexPartition, slots } = list.orders.rank;
  const older = (await Promise.all([list.pk, dayIndexPartition, slots].map((pk) => table.queryPartition(pk)))).flat();
  // The next changes are on a day that the older items have, too.
  clock.advance(-day);
  for (let name = 100; name < 200; name++) contents.set(name, 1);
  expect(await readAll()).toMatchObject({ changed: 100, unchanged: 100 });
  await readAll();
  for (const item of older) await table.put(item);
  expect(await readAll()).toMatchObject({ changed: 100, unchanged: 100 });
  expect((await stored()).get(recordId(150))).toMatchObject({ content: 1 });
});

test("items that are in use are written again before they expire", async () => {
  const { readAll, items, clock } = await createKnownList();
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
  const { readAll, contents, groups, rowsOfPos } = await createList({ records: 200, readings: 1 });
  contents.set(200, 0);
  expect(await readAll()).toMatchObject({ created: 1, unchanged: 200 });
  const found = await groups().find(rowsOfPos(), undefined);
  expect([199, 200].map((name) => found.has(recordId(name)))).toEqual([true, false]);
});

test("an item has at most 1,024 fingerprints", async () => {
  const { readAll, contents, items } = await createList({ records: 0 });
  for (let name = 0; contents.size < 1_100; name++) if (!beginsGroup(name)) contents.set(name, 0);
  for (let i = 0; i < 2; i++) await readAll();
  expect(await items()).toMatchObject([{ fingerprints: { length: 1_024 * 16 } }]);
});

test.each([1, 2])("a group whose records the POS repeats from its first one, in %i pages, is stored", async (pages) => {
  const { rowsOfPos, contents, read, items } = await createList({ records: 400, readings: 1 });
  const rows = rowsOfPos();
  const begin = [...contents.keys()].find(beginsGroup) ?? expect.fail("no group");
  const [before, repeated] = [rows.slice(0, begin + 8), rows.slice(begin)];
  await read(pages === 1 ? [[...before, ...repeated]] : [before, repeated]);
  expect((await items()).map(({ sk }) => sk)).toContain(recordId(begin));
});

test("a run that continues inside a group stores no item for it, and takes an empty page", async () => {
  const { rowsOfPos, contents, read, items } = await createList({ records: 400, readings: 1 });
  const rows = rowsOfPos();
  await read([rows.slice(0, 200), [], rows.slice(200)], { isFromStart: false });
  const begins = [...contents.keys()].filter(beginsGroup).map(recordId).sort();
  expect(begins.length).toBeGreaterThan(1);
  expect((await items()).map(({ sk }) => sk)).toEqual(begins);
});

test.each([
  ["reads", 2],
  ["writes", 1],
])("a run survives outages at %s of fingerprints, and fails at other errors", async (calls, readings) => {
  const { readAll, list } = await createList({ records: 100, readings });
  let failures = 0;
  const failWith = (error: Error) => {
    interceptCalls(table).before = (command, input) => {
      if (isWrite(command) !== (calls === "writes")) return;
      if (!JSON.stringify(input).includes(fingerprintsPartition(list))) return;
      failures++;
      throw error;
    };
  };
  failWith(new ServiceError("unavailable"));
  expect(await readAll()).toMatchObject({ unchanged: 100 });
  expect(failures).toBeGreaterThan(0);
  failWith(new ServiceError("conflict"));
  await expect(readAll()).rejects.toMatchObject({ kind: "conflict" });
});

test("a writer that has lost its lease stores no item, neither a new one nor one that was deleted meanwhile", async () => {
  const { readAll, items, fence, rowsOfPos, groups, writer, clock } = await createList({ records: 200, readings: 1 });
  const late = async () => {
    const ofRun = groups();
    await writer().write(rowsOfPos(), ofRun);
    await setFence(table, fence.key, fence.number + 1);
    await table.batchDelete((await items()).map(({ pk, sk }) => ({ pk, sk })));
    await ofRun.finish();
  };
  await expect(late()).rejects.toThrow(LeaseLostError);
  expect(await items()).toEqual([]);
  await setFence(table, fence.key, fence.number);
  await readAll();
  expect(await items()).not.toEqual([]);
  // The items are due again.
  clock.advance(0.6 * groupLifetimeMs);
  await late();
  expect(await items()).toEqual([]);
});

test("every reading of a random history stores the content of the POS", async () => {
  const random = xoroshiro128plus(44);
  const below = (bound: number) => (random.next() >>> 0) % bound;
  const { contents, clock, readAll, stored, writer } = await createList({ records: 150, segmentSize: 8 });
  for (let reading = 0; reading < (isThorough ? 40 : 15); reading++) {
    await readAll({ pageSize: [40, 64, 250][below(3)] });
    const records = [...(await stored()).values()].map(({ name, content }) => [name, content] as const);
    expect(new Map(records)).toEqual(contents);
    const names = [...contents.keys()];
    for (let i = below(8); i > 0; i--) {
      const name = names[below(names.length)] as number;
      // Few contents, so that records often change back. A record that moves to the end shifts the list.
      if (below(3) === 0) contents.delete(name);
      contents.set(name, below(3));
    }
    if (below(3) === 0) {
      await writer().write(Array.from({ length: 5 }, () => recordToWrite(names[below(150)] as number, below(3))));
      if (below(2) === 0) clock.advance(day);
    }
  }
});
