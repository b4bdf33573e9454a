import { beforeAll, expect, test } from "vitest";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../shared/store/client.ts";
import { openSearch } from "../../../shared/store/orderedList/openSearch.ts";
import { retryOnOutage } from "../../../shared/store/retryOnConflict.ts";
import {
  expectSoundList,
  interceptCalls,
  newList,
  newWriter,
  pageOf,
  recordToWrite,
  storedRecords,
  type TestRecord,
} from "../../shared/store/orderedList/listUnderTest.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { RealRules } from "./realRules.ts";

const day = 24 * 3_600_000;
const midnight = Date.parse("2027-01-01T00:00:00.000Z");
const seeds = isThorough ? 8 : 3;
const records = 24;
const terms = [{ field: "name", value: "of all" }];
const names = Array.from({ length: records }, (_, name) => name);

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

/**
 * One history over New Year, by DynamoDB's real rules. Two writers work concurrently, and three clients read all pages:
 * of the list, of a search that sorts its matches, and of one that does not.
 */
async function history(seed: number): Promise<{ missed: number[]; totals: number[]; unchanged: number; log: string }> {
  const chance: Dice = dice("walks", seed);
  const world = new RealRules({ seed, start: "2026-12-29T10:00:00.000Z", usualLag: 1_000 });
  const table = testTableOf(shared, world.clock);
  const { list, fence } = await newList(shared);
  world.attach(table);
  const writer = () => newWriter(table, list, { fence, clock: world.clock, extractIndexedFields: () => terms });
  let contents = 0;
  const changed = (some: readonly number[]) => some.map((name) => recordToWrite(name, ++contents));
  const some = (most: number) => names.filter(() => chance.between(1, records) <= most);

  for (const batch of [names, some(8), some(8)]) {
    await writer().write(changed(batch));
    await world.clock.sleep(day);
  }
  // Every change of an earlier record affects both years.
  await world.clock.sleep(midnight - 100 - world.clock.now().getTime());
  const before = new Map((await storedRecords(shared, list)).map(({ record }) => [record.name, record.content]));

  // A slow client takes days to read.
  const isSlow = seed % 3 === 0;
  const pause = isSlow ? day / 2 : 60;
  const write = (fresh: number) => async () => {
    const own = writer();
    for (let i = 0; i < 12; i++) {
      await own.write(changed(i === 3 ? [fresh] : some(1)));
      await world.clock.sleep(chance.between(0, pause));
    }
  };
  const limit = chance.between(1, 3);
  const totals: number[] = [];
  type Read = typeof readSorted;
  const search = async (window: { offset: number; limit: number }, maxVerified?: number) => {
    const opened = await openSearch(table, list, { terms, ...window, maxVerified }, () => terms);
    const { total, records: found } = await opened.read();
    return { total, records: found.map((record) => JSON.parse(record) as TestRecord) };
  };
  const readSorted = (window: { offset: number; limit: number }) => search(window);
  const readUnsorted: Read = (window) => search(window, 0);
  const walk = async (read: Read): Promise<Set<number>> => {
    const seen = new Set<number>();
    await world.clock.sleep(chance.between(0, 300));
    for (let offset = 0, total = 1; offset < total; offset += limit) {
      // If the index shows nothing of a page for some seconds, clients retry.
      const page = await retryOnOutage(world.clock, () => read({ offset, limit }), {});
      total = page.total;
      totals.push(total);
      await world.clock.sleep(chance.between(0, isSlow ? pause : 0));
      for (const { name } of page.records) seen.add(name);
    }
    return seen;
  };
  const outcomes = await world.run([
    { name: "writer", work: write(records) },
    { name: "other writer", work: write(records + 1) },
    { name: "client", work: () => walk((window) => pageOf(table, list, window)) },
    { name: "client that searches", work: () => walk(readSorted) },
    { name: "client that searches many", work: () => walk(readUnsorted) },
  ]);
  const log = `seed ${seed}\n${world.history()}`;
  expect(
    outcomes.flatMap(({ error }) => error ?? []),
    log,
  ).toEqual([]);
  await expectSoundList(shared, list);
  const unchanged = (await storedRecords(shared, list))
    .filter(({ record }) => before.get(record.name) === record.content)
    .map(({ record }) => record.name);
  const walks = outcomes.slice(2).map(({ value }) => value as Set<number>);
  const missed = unchanged.filter((name) => walks.some((seen) => !seen.has(name)));
  return { missed, totals, unchanged: unchanged.length, log };
}

test("a writer whose clock is more than five seconds off does not begin", async () => {
  const world = new RealRules({ seed: 1, start: "2026-12-31T23:59:50.000Z", stalls: 0 });
  const { list, fence } = await newList(shared);
  const write = (name: number) => () => {
    const table = testTableOf(shared, world.clock);
    world.attach(table);
    return newWriter(table, list, { fence, clock: world.clock }).write([recordToWrite(name, 1)]);
  };
  const [ahead, behind, right] = await world.run([
    { name: "ahead", skew: 7_000, work: write(1) },
    { name: "behind", skew: -7_000, work: write(2) },
    { name: "right", skew: 4_000, work: write(3) },
  ]);
  for (const { error } of [ahead, behind].flatMap((one) => one ?? [])) {
    expect(error).toMatchObject({ kind: "unavailable" });
    expect(String((error as Error).cause)).toMatch(/-?\d+ ms ahead of DynamoDB's: set the clock/);
  }
  expect(right?.error).toBeUndefined();
  expect((await storedRecords(shared, list)).map(({ record }) => record.name)).toEqual([3]);
});

test("a client that filters by the new UTC day finds all later changes, even if the writer's clock is slow and its calls take long", async () => {
  const world = new RealRules({ seed: 1, start: "2026-12-31T23:59:20.000Z", stalls: 0 });
  const { list, fence } = await newList(shared);
  const client = async () => {
    const table = testTableOf(shared, world.clock);
    world.attach(table);
    await world.clock.sleep(midnight - world.clock.now().getTime());
    const before = await storedRecords(shared, list);
    await world.clock.sleep(300_000);
    const { total } = await pageOf(table, list, { offset: 0, limit: 1_000, from: "2027-01-01" });
    return { before: before.length, since: total };
  };
  const write = async () => {
    const table = testTableOf(shared, world.clock);
    world.attach(table);
    interceptCalls(table).before = async (command) => {
      if (command === "TransactWriteItemsCommand") await world.clock.sleep(18_000);
    };
    const writer = newWriter(table, list, { fence, clock: world.clock });
    for (const name of names.slice(0, 4)) await writer.write([recordToWrite(name, 0)]);
  };
  const [found, written] = await world.run([
    { name: "client", skew: 0, work: client },
    { name: "writer", skew: -4_900, work: write },
  ]);
  if (found?.error ?? written?.error) throw found?.error ?? written?.error;
  expect(found?.value).toEqual({ before: 2, since: 2 });
});

test("reading all pages over New Year, during writes and with lagging nodes and indexes, misses no unchanged record, and totals are exact", async () => {
  let unchanged = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const found = await history(seed);
    expect(found.missed, found.log).toEqual([]);
    for (const total of found.totals) {
      expect(total, found.log).toBeGreaterThanOrEqual(records);
      expect(total, found.log).toBeLessThanOrEqual(records + 2);
    }
    unchanged += found.unchanged;
  }
  expect(unchanged).toBeGreaterThan(5 * seeds);
}, 240_000);
