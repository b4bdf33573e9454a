import { expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import type { Figures } from "./figures.ts";
import { key, overSeeds, valuesBy, worldWith, writeAll } from "./worldUnderTest.ts";

const sks = ["a", "b", "c", "d"];
const items = sks.map((sk) => ({ ...key(sk), value: 0 }));

/** The results of reads while a transaction writes all items. */
async function duringTransaction(figures: Partial<Figures>, read: (table: Table) => Promise<number[]>) {
  const seen = await overSeeds(30, async (seed) => {
    const { world, table } = await worldWith(figures, items, seed);
    const [, reader] = await world.run([
      { name: "writer", work: () => writeAll(table, sks, 1) },
      { name: "reader", work: () => read(table) },
    ]);
    return String(reader?.value ?? reader?.error);
  });
  return [...new Set(seen)].sort();
}

async function batch(table: Table): Promise<number[]> {
  const found = await table.batchGet(sks.map(key), { consistent: true });
  return sks.map((sk) => found.get(`LIST\n${sk}`)?.value as number);
}

async function oneByOne(table: Table): Promise<number[]> {
  const values: number[] = [];
  for (const sk of sks) values.push((await table.get(key(sk), { consistent: true }))?.value as number);
  return values;
}

const query = (table: Table) => valuesBy(table, { consistent: true });

test("a query reads its items in order, so that a commit during the query shows only in later ones", async () => {
  const seen = await duringTransaction({ tornReads: true }, query);
  expect(seen.every((values) => /^[0,]*[1,]*$/.test(values))).toBe(true);
  expect(seen.filter((values) => /0,1/.test(values))).not.toEqual([]);
  expect(await duringTransaction({}, query)).toEqual(["0,0,0,0", "1,1,1,1"]);
});

test("a query continues after its limit, in both directions", async () => {
  const found = await overSeeds(20, async (seed) => {
    const { world, table } = await worldWith({ tornReads: true, shortPages: 50 }, items, seed);
    const read = (newestFirst: boolean) => async () => {
      const found = await table.queryRaw("LIST", { from: "a", to: "c", attributes: ["sk"], newestFirst, limit: 2 });
      return found.map((item) => item.sk?.S).join("");
    };
    const outcomes = await world.run([
      { name: "up", work: read(false) },
      { name: "down", work: read(true) },
    ]);
    return outcomes.map(({ value }) => (value as string).slice(0, 2)).join();
  });
  expect(new Set(found)).toEqual(new Set(["ab,cb"]));
});

test("a batch shows each item either before or after a commit", async () => {
  const seen = await duringTransaction({ tornReads: true }, batch);
  expect(seen.filter((values) => /1,0/.test(values))).not.toEqual([]);
  expect(await duringTransaction({}, batch)).toEqual(["0,0,0,0", "1,1,1,1"]);
});

test("while a transaction is being committed, consecutive consistent reads find a part of it", async () => {
  const seen = await duringTransaction({ holds: true, commitWindow: 40, latency: 4 }, oneByOne);
  expect(seen.filter((values) => /1,0/.test(values))).not.toEqual([]);
  expect((await duringTransaction({ latency: 4 }, oneByOne)).filter((values) => /1,0/.test(values))).toEqual([]);
});

test("after the response of a transaction, consistent reads find all of it", async () => {
  const { table } = await worldWith({ holds: true, commitWindow: 40, tableLag: 1_000, tornReads: true }, items);
  for (let value = 1; value < 20; value++) {
    await writeAll(table, sks, value);
    for (const read of [batch, oneByOne, query]) expect(await read(table)).toEqual(Array(4).fill(value));
  }
});
