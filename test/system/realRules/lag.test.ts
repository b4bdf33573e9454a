import { QueryCommand } from "@aws-sdk/client-dynamodb";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import type { Item, PartitionQuery, Table } from "../../../shared/store/client.ts";
import { key, overSeeds, pk, valuesBy, worldWith, writeAll } from "./worldUnderTest.ts";

const item = { ...key("a"), value: 0, rank: "5" };
/** A lag is random, up to the maximum. */
const lag = { usualLag: 30_000 };
const eventual = async (table: Table) => (await table.get(key("a")))?.value as number;
const byRank = (table: Table) => valuesBy(table, { index: "byRank" });

/** How often a later value shows an earlier state. */
const stepsBack = (values: readonly number[]) => values.filter((value, i) => value < (values[i - 1] ?? 0)).length;

test("an eventually consistent read lags up to a second, and may be older than the read before it", async () => {
  const { world, table } = await worldWith({ ...lag, tableLag: 1_000 }, [item]);
  await table.put({ ...item, value: 1 });
  expect((await table.get(key("a"), { consistent: true }))?.value).toBe(1);
  const seen = await overSeeds(20, () => eventual(table));
  expect(new Set(seen)).toEqual(new Set([0, 1]));
  expect(stepsBack(seen)).toBeGreaterThan(0);
  await world.clock.sleep(1_000);
  expect(new Set(await overSeeds(20, () => eventual(table)))).toEqual(new Set([1]));
});

test("without rules, the engine shows everything at once", async () => {
  const { table } = await worldWith({}, [item]);
  await table.put({ ...item, value: 1 });
  expect([await eventual(table), ...(await byRank(table))]).toEqual([1, 1]);
});

test("an index lags up to half a minute, shows an item's changes in order, and never goes back", async () => {
  const { world, table } = await worldWith({ ...lag, indexLag: 30_000, latency: 2_000 }, [item]);
  const seen: number[] = [];
  for (let value = 1; value < 40; value++) {
    await table.put({ ...item, value });
    seen.push(...(await byRank(table)));
  }
  expect(seen.some((value, i) => value < i + 1)).toBe(true);
  expect(new Set(seen).size).toBeGreaterThan(2);
  expect(stepsBack(seen)).toBe(0);
  await world.clock.sleep(30_000);
  expect(await byRank(table)).toEqual([39]);
});

test("items of one transaction appear in an index at different times", async () => {
  const { table } = await worldWith({ ...lag, indexLag: 30_000 });
  const seen = new Set<string>();
  for (let value = 1; value < 20; value++) {
    await writeAll(table, ["a", "b"], value, { rank: "5" });
    seen.add((await byRank(table)).map((shown) => value - shown).join());
  }
  expect([...seen].some((values) => values.split(",")[0] !== values.split(",")[1])).toBe(true);
});

test("a lagging index still shows deleted items and earlier positions, and not yet new items", async () => {
  const { world, table } = await worldWith({ ...lag, indexLag: 30_000 }, [
    { ...key("moved"), rank: "3" },
    { ...key("removed"), rank: "4" },
    { ...key("still"), rank: "5" },
    { ...key("out"), rank: "6" },
  ]);
  const read = async (query: PartitionQuery) => {
    const items = await table.queryRaw(pk, { index: "byRank", attributes: ["rank", "sk"], ...query });
    return items.map(({ sk, rank, ...none }) => {
      expect(none).toEqual({});
      return `${sk?.S} ${rank?.S}`;
    });
  };
  await table.transact([
    table.putWrite({ ...key("moved"), rank: "8" }),
    table.deleteWrite(key("removed")),
    table.putWrite({ ...key("made"), rank: "7" }),
    table.updateWrite(key("out"), { expression: "REMOVE #rank", names: { "#rank": "rank" } }),
  ]);
  const before = ["moved 3", "removed 4", "still 5", "out 6"];
  expect(await read({ from: "0" })).toEqual(before);
  expect(await read({ from: "0", newestFirst: true })).toEqual([...before].reverse());
  expect(await read({ from: "4", to: "5" })).toEqual(["removed 4", "still 5"]);
  expect(await read({ before: "4" })).toEqual(["moved 3"]);
  expect(await read({ prefix: "6" })).toEqual(["out 6"]);
  expect((await read({ after: "3", limit: 2 })).slice(0, 2)).toEqual(["removed 4", "still 5"]);
  await world.clock.sleep(30_000);
  expect(await read({ from: "0" })).toEqual(["still 5", "made 7", "moved 8"]);
});

test("a query that continues after its limit shows every item once, however far the index lags", async () => {
  const ranks = Array.from({ length: 20 }, (_, i) => ({ ...key(`${i}`), value: i, rank: String(i).padStart(2, "0") }));
  const { world, table } = await worldWith({ ...lag, indexLag: 30_000 }, ranks);
  for (const { sk, value, rank } of ranks.filter(({ value }) => value % 3 === 0)) {
    await table.delete(key(sk));
    for (const more of [100, 200]) {
      await table.put({ ...key(`${sk} ${more}`), value: value + more, rank: `${rank} ${more}` });
    }
  }
  expect(await byRank(table)).toEqual(await pageByPage(table));
  await world.clock.sleep(30_000);
  const after = ranks.flatMap(({ value }) => (value % 3 > 0 ? value : [value + 100, value + 200]));
  expect(await pageByPage(table)).toEqual(after);
});

async function pageByPage(table: Table): Promise<number[]> {
  const parts = await partsOf(table, { index: "byRank", limit: 3 });
  for (const part of parts.slice(0, -1)) expect(part.length).toBe(3);
  return parts.flat();
}

async function partsOf(table: Table, query: PartitionQuery): Promise<number[][]> {
  const parts: number[][] = [];
  for await (const part of table.queryParts(pk, query)) parts.push(part.map((item) => Number(item.value?.N)));
  return parts;
}

test("a response with lagging items is also limited to 1 MB", async () => {
  const body = "x".repeat(300_000);
  const items = Array.from({ length: 5 }, (_, i) => ({ ...key(`${i}`), value: i, rank: `${i}`, body }));
  const parts = async (old: readonly Item[], change: (table: Table) => TransactWriteItem[]) => {
    const { table } = await worldWith({ ...lag, indexLag: 30_000 }, old);
    await table.transact(change(table));
    return partsOf(table, { index: "byRank" });
  };
  expect(await parts(items, (table) => items.map((item) => table.deleteWrite(key(item.sk))))).toEqual([
    [0, 1, 2],
    [3, 4],
  ]);
  const found = await parts(items.slice(3), (table) => [
    ...items.slice(0, 3).map((item) => table.putWrite(item)),
    table.deleteWrite(key("4")),
  ]);
  expect(found.flat()).toEqual([3, 4]);
});

test.each([
  { KeyConditionExpression: "pk = :pk AND size(sk) > :pk" },
  { KeyConditionExpression: "sk = :pk" },
  { KeyConditionExpression: "pk = :pk AND value > :pk" },
  { KeyConditionExpression: "pk = :pk", FilterExpression: "sk = :pk" },
  { KeyConditionExpression: "pk = :pk", ProjectionExpression: "body.part" },
])("an unsupported expression is rejected: %j", async (form) => {
  const { table } = await worldWith({}, [item]);
  const command = new QueryCommand({ ...form, TableName: table.name, ExpressionAttributeValues: { ":pk": { S: pk } } });
  await expect(table.client.send(command)).rejects.toThrow("the layer does not know");
});
