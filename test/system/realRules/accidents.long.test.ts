import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import { exists } from "../../../shared/store/client.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { RealRules } from "./realRules.ts";
import { key, overSeeds, pk, valuesBy, worldWith, writeAll } from "./worldUnderTest.ts";

const item = { ...key("a"), value: 0, rank: "1" };
const kilobytes = (count: number) => "x".repeat(count * 1_000);
const unavailable = expect.objectContaining({ kind: "unavailable" });

const serviceTable = useTestTable();

/** The results of work done repeatedly, one after the other. */
async function many<T>(count: number, work: (i: number) => Promise<T>): Promise<unknown[]> {
  const ends: unknown[] = [];
  for (let i = 0; i < count; i++) ends.push(await work(i).catch((error) => error));
  return ends;
}

test("a partition accepts a thousand write units a second, and a transaction uses twice as many as single writes", async () => {
  const { world, table } = await worldWith({ writeUnits: 1_000, latency: 1 });
  const body = kilobytes(250);
  const write = () => table.put({ ...key("a"), body });
  expect(await many(5, write)).toEqual([...Array(4).fill(undefined), unavailable]);
  await table.put({ pk: "ANOTHER", sk: "a", body });
  await world.clock.sleep(1_000);
  await write();
  await world.clock.sleep(1_000);
  const inTransaction = (i: number) => writeAll(table, [`${i}`, `${i + 10}`], i, { body });
  expect(await many(3, inTransaction)).toEqual([undefined, expect.any(Error), expect.any(Error)]);
});

test("a transaction that needs more than a second's units of one partition never succeeds", async () => {
  const { world, table } = await worldWith({ writeUnits: 1_000, latency: 1 });
  const put = (pk: string, sk: string) => table.putWrite({ pk, sk, body: kilobytes(250) });
  const hot = () => table.transact(["a", "b", "c"].map((sk) => put(pk, sk)));
  for (let seconds = 0; seconds < 10; seconds++) {
    const error = await hot().catch((error) => error);
    expect(error.CancellationReasons?.map(({ Code }: { Code: string }) => Code)).toEqual([
      ...Array(3).fill(expect.stringMatching(/^(ThrottlingError|ProvisionedThroughputExceeded)$/)),
    ]);
    await world.clock.sleep(1_000);
  }
  await table.transact([put(pk, "a"), put(pk, "b"), put("ANOTHER", "c")]);
});

test("a write uses the units of the earlier version if that is larger, and a check those of the item", async () => {
  const body = kilobytes(390);
  const { world, table } = await worldWith({ writeUnits: 1_000, latency: 1 }, [{ ...item, body }]);
  const small = () => table.transact([table.putWrite(item)]);
  const check = () => table.transact([table.checkWrite(key("a"), exists)]);
  expect(await many(2, check)).toEqual([undefined, expect.any(Error)]);
  await world.clock.sleep(1_000);
  expect(await many(3, small)).toEqual([undefined, undefined, undefined]);
  await world.clock.sleep(1_000);
  await table.put({ ...item, body });
  expect(await many(2, () => table.update(key("a"), { value: 1 }))).toEqual([undefined, unavailable]);
});

test("a batch writes the items for which its partition has units, and leaves the others", async () => {
  const items = Array.from({ length: 5 }, (_, i) => ({ ...key(`${i}`), body: kilobytes(390) }));
  const { world, table } = await worldWith({ writeUnits: 1_000, latency: 1 }, items);
  await table.batchDelete(items);
  expect(world.history()).toContain("5 writes, 3 left");
  expect(await table.queryPartition(pk, { consistent: true })).toEqual([]);
});

test("an index has the same limit, and an item that moves in it counts twice", async () => {
  const write = async (move: number) => {
    const { table } = await worldWith({ writeUnits: 1_000, latency: 1, tableLag: 1_000 });
    const ends = await many(6, (i) => table.put({ ...item, rank: `${i * move}`, body: kilobytes(250) }));
    return ends.filter((end) => end === undefined).length;
  };
  expect([await write(0), await write(1)]).toEqual([4, 2]);
});

test("the bare engine takes any number of writes", async () => {
  const { table } = await worldWith({});
  expect(await many(8, () => table.put({ ...key("a"), body: kilobytes(200) }))).toEqual(Array(8).fill(undefined));
});

test("a partition accepts three thousand read units a second; 4 KB take half a unit if the read may be eventually consistent", async () => {
  const { world, table } = await worldWith({ readUnits: 3_000, latency: 1 }, [{ ...item, body: kilobytes(390) }]);
  const readsUntilRefused = async (read: () => Promise<unknown>) => {
    await world.clock.sleep(10_000);
    const ends = await many(80, read);
    return ends.findIndex((end) => end instanceof Error);
  };
  const consistent = await readsUntilRefused(() => table.get(key("a"), { consistent: true }));
  expect(consistent).toBeGreaterThanOrEqual(32);
  expect(consistent).toBeLessThan(40);
  expect(await readsUntilRefused(() => table.get(key("a")))).toBeGreaterThan(1.8 * consistent);
  const byIndex = await readsUntilRefused(() => valuesBy(table, { index: "byRank" }));
  expect(byIndex).toBeGreaterThan(1.8 * consistent);
  // The table's partition differs from the index's.
  await table.get(key("a"), { consistent: true });
});

test("throttling comes in bursts, and is reported for one item of a transaction", async () => {
  const { table } = await worldWith({ throttled: 3 });
  const ends = await many(200, () => table.put(item));
  const refused = ends.map((end) => (end === undefined ? 0 : 1));
  const runs = refused.join("").match(/1+/g) ?? [];
  expect(ends.filter((end) => end !== undefined)).toEqual(Array(runs.join("").length).fill(unavailable));
  expect(Math.max(...runs.map(({ length }) => length))).toBeGreaterThan(3);
  expect(refused.slice(0, 3)).toContain(0);
  const reasons = (await many(60, () => writeAll(table, ["a", "b"], 1))).flatMap((end) =>
    end
      ? [(end as { CancellationReasons: { Code: string }[] }).CancellationReasons.map(({ Code }) => Code).join()]
      : [],
  );
  expect([...new Set(reasons)].sort()).toEqual([
    "None,ProvisionedThroughputExceeded",
    "None,ThrottlingError",
    "ProvisionedThroughputExceeded,None",
    "ThrottlingError,None",
  ]);
});

test.each([
  ["lostRequests", [0]],
  ["lostAnswers", [1]],
  ["lateWrites", [1]],
] as const)("%s: the caller learns only that there was no response", async (name, values) => {
  const { world, table } = await worldWith({ [name]: 100 }, [item]);
  const writer = { name: "writer", work: () => table.update(key("a"), { value: 1 }) };
  expect(await world.run([writer])).toEqual([{ name: "writer", killed: false, calls: 1, error: unavailable }]);
  expect(await valuesBy(testTableOf(table), { consistent: true })).toEqual(values);
});

test("a write can arrive long after its caller has got an error", async () => {
  const seen = await overSeeds(10, async (seed) => {
    const { world, table } = await worldWith({ lateWrites: 100 }, [item], seed);
    const work = async () => {
      await table.put({ ...item, value: 1 }).catch(() => undefined);
      return (await table.get(key("a"), { consistent: true }))?.value;
    };
    const [outcome] = await world.run([{ name: "writer", work }]);
    return outcome?.value;
  });
  expect(new Set(seen)).toEqual(new Set([0, 1]));
});

test("if the SDK sends a single write twice, the second one finds the effect of the first", async () => {
  const isNew = { expression: "attribute_not_exists(pk)" };
  const { table } = await worldWith({ repeatedWrites: 100 });
  await expect(table.put(item, isNew)).rejects.toMatchObject({ name: "ConditionalCheckFailedException" });
  expect(await valuesBy(table)).toEqual([0]);
  await table.change(
    key("a"),
    { expression: "ADD #value :one", names: { "#value": "value" }, values: { ":one": 1 } },
    "attribute_exists(pk)",
  );
  expect(await valuesBy(table)).toEqual([2]);
});

test("after the accidents end, only the limits of partitions remain", async () => {
  const all = { throttled: 20, lostRequests: 20, lostAnswers: 20, lateWrites: 20 };
  const { world, table } = await worldWith({ ...all, writeUnits: 1_000, latency: 1 }, [item]);
  const read = () => table.get(key("a"), { consistent: true });
  const write = () => table.put({ ...item, body: kilobytes(250) });
  expect((await many(20, read)).filter((end) => end instanceof Error).length).toBeGreaterThan(5);
  world.calm();
  await world.clock.sleep(10_000);
  expect((await many(100, read)).filter((end) => end instanceof Error)).toEqual([]);
  expect(await many(5, write)).toEqual([...Array(4).fill(undefined), unavailable]);
});

test("a query's response ends before 1 MB, and sometimes earlier", async () => {
  const items = Array.from({ length: 5 }, (_, i) => ({ ...key(`${i}`), value: i, body: kilobytes(300) }));
  const parts = async (shortPages: number) => {
    const { table } = await worldWith({ shortPages }, items);
    const values: number[][] = [];
    for await (const part of table.queryParts(pk)) values.push(part.map(({ value }) => Number(value?.N)));
    expect(values.flat()).toEqual([0, 1, 2, 3, 4]);
    return values.map(({ length }) => length);
  };
  expect(Math.max(...(await parts(0)))).toBeLessThan(5);
  expect((await parts(100)).length).toBeGreaterThan((await parts(0)).length);
});

test("a batch of reads leaves all keys beyond 16 MB unprocessed, and sometimes others", async () => {
  const keys = Array.from({ length: 45 }, (_, i) => key(`${i}`));
  const calls = async (unprocessed: number, body: string) => {
    const { world, table } = await worldWith({ unprocessed });
    for (const { sk } of keys) await table.put({ ...key(sk), body });
    const before = world.history().length;
    expect((await table.batchGet(keys, { consistent: true })).size).toBe(45);
    return (
      world
        .history()
        .slice(before)
        .match(/[1-9]\d* keys left/g)?.length ?? 0
    );
  };
  expect(await calls(0, "")).toBe(0);
  expect(await calls(100, "")).toBeGreaterThan(0);
  expect(await calls(0, kilobytes(390))).toBe(1);
});

test("a batch of writes sometimes leaves some undone, and they are sent again", async () => {
  const keys = Array.from({ length: 60 }, (_, i) => key(`${i}`));
  for (const unprocessed of [0, 100]) {
    const { world, table } = await worldWith({ unprocessed });
    for (const { sk } of keys) await table.put({ ...key(sk), body: "" });
    await table.put({ ...key("kept"), body: "" });
    const before = world.history().length;
    await table.batchDelete(keys);
    const calls = world.history().slice(before);
    expect(calls.match(/[1-9]\d* left/g) !== null).toBe(unprocessed > 0);
    expect((await table.queryPartition(pk, { consistent: true })).map(({ sk }) => sk)).toEqual(["kept"]);
  }
});

test("a batch that is never accepted fails in the end", async () => {
  const table = testTableOf(serviceTable(), new TestClock("2026-03-01T12:00:00.000Z"));
  table.client.middlewareStack.add(
    (next) => async (request) => {
      const { RequestItems: UnprocessedItems } = request.input as { RequestItems?: object };
      return UnprocessedItems
        ? ({ response: {}, output: { UnprocessedItems, $metadata: {} } } as never)
        : next(request);
    },
    { step: "initialize", priority: "high" },
  );
  await expect(table.batchDelete([key("a")])).rejects.toMatchObject({ kind: "unavailable" });
});

test("an expired item can still be read", async () => {
  const { world, table } = await worldWith({}, [{ ...item, expires: 1_000 }]);
  expect(world.clock.now().getTime()).toBeGreaterThan(1_000_000);
  expect(await table.get(key("a"), { consistent: true })).toMatchObject({ expires: 1_000 });
});

test("responses have the date of virtual time", async () => {
  const { world, table } = await worldWith({}, [item]);
  const dates: unknown[] = [];
  table.client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      dates.push((result.response as { headers: Record<string, string> }).headers.date);
      return result;
    },
    { step: "deserialize", name: "dates" },
  );
  for (const days of [0, 40]) {
    await world.clock.sleep(days * 24 * 3_600_000);
    await table.client.send(new GetItemCommand({ TableName: table.name, Key: marshall(key("a")) }));
  }
  expect(dates).toEqual(["Tue, 10 Mar 2026 12:00:00 GMT", "Sun, 19 Apr 2026 12:00:00 GMT"]);
});

test("the service's own table can be attached to rules, and later to others", async () => {
  const table = serviceTable();
  new RealRules({ seed: 1, lostRequests: 100 }).attach(table);
  await expect(table.put(item)).rejects.toEqual(unavailable);
  new RealRules({ seed: 1 }).attach(table);
  await table.put(item);
  expect(await table.get(key("a"), { consistent: true })).toEqual(item);
});
