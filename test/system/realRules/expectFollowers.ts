import { beforeAll, expect } from "vitest";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../shared/store/client.ts";
import { ListCopy } from "../../shared/store/orderedList/listCopy.ts";
import { newList, newWriter, recordToWrite } from "../../shared/store/orderedList/listUnderTest.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { RealRules } from "./realRules.ts";

const day = 24 * 3_600_000;
const midnight = Date.parse("2027-01-01T00:00:00.000Z");
const records = 24;
const names = Array.from({ length: records }, (_, name) => name);

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

/**
 * Runs writers and readers concurrently over New Year, by DynamoDB's real rules; then each reader reads to the end.
 *
 * @returns the number of records in which the copies differ from the table, the number of pages, and the history
 */
async function history(seed: number) {
  const chance: Dice = dice("followers", seed);
  const world = new RealRules({ seed, start: "2026-12-29T10:00:00.000Z", usualLag: 1_000 });
  const table = testTableOf(shared, world.clock);
  const { list, fence } = await newList(shared);
  world.attach(table);
  let contents = 0;
  const some = (most: number) =>
    names.filter(() => chance.between(1, records) <= most).map((name) => recordToWrite(name, ++contents));
  const writer = () => newWriter(table, list, { fence, clock: world.clock });
  const copies = Array.from({ length: 4 }, () => new ListCopy());
  await writer().write(names.map((name) => recordToWrite(name, 0)));
  const [early] = copies;
  await early?.toTheEnd(table, list, 5);
  for (let i = 0; i < 2; i++) {
    await world.clock.sleep(day);
    await writer().write(some(8));
  }
  await world.clock.sleep(midnight - 100 - world.clock.now().getTime());
  const write = () => async () => {
    const own = writer();
    for (let i = 0; i < 10; i++) {
      await own.write(some(chance.between(1, 4)));
      await world.clock.sleep(chance.between(0, chance.pick([60, 3_000, day / 4])));
    }
  };
  const follow = (copy: ListCopy) => async () => {
    for (let i = 0; i < 12; i++) {
      await copy.turn(table, list, chance.between(1, 9));
      await world.clock.sleep(chance.between(0, chance.pick([0, 500, day / 4])));
    }
  };
  const outcomes = await world.run([
    { name: "writer", work: write() },
    { name: "other writer", work: write() },
    ...copies.map((copy, i) => ({ name: `reader ${i}`, work: follow(copy) })),
  ]);
  const log = `seed ${seed}\n${world.history()}`;
  expect(
    outcomes.flatMap(({ error }) => error ?? []),
    log,
  ).toEqual([]);
  // A year later, with the same cursors.
  if (chance.percent(30)) await world.clock.sleep(365 * day);
  for (const copy of copies) await copy.toTheEnd(table, list, chance.pick([1, 4, 1_000]));
  const stored = await shared.queryPartition(list.pk, { consistent: true });
  const differing = copies.flatMap((copy) => stored.filter(({ sk, body }) => copy.records.get(sk) !== body));
  expect(
    copies.map((copy) => copy.records.size),
    log,
  ).toEqual(copies.map(() => stored.length));
  expect(
    copies.map((copy) => copy.resets),
    log,
  ).toEqual([0, 0, 0, 0]);
  return { differing: differing.length, pages: copies.reduce((sum, { pages }) => sum + pages, 0), log };
}

/** Expects that the copies of all readers end with the current records, in the histories of seeds from 1 on. */
export async function expectFollowers(seeds: number): Promise<void> {
  let pages = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const found = await history(seed);
    expect(found.differing, found.log).toBe(0);
    pages += found.pages;
  }
  expect(pages).toBeGreaterThan(40 * seeds);
}
