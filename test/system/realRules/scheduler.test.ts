import { setTimeout as realTime } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { accidents } from "./figures.ts";
import { RealRules } from "./realRules.ts";
import { key, overSeeds, worldWith } from "./worldUnderTest.ts";

const counter = { ...key("counter"), value: 0 };
const start = "2026-12-31T23:59:00.000Z";

/** Adds one with a read and a write, which loses concurrent additions. */
async function addOne(table: Table) {
  const found = await table.get(key("counter"), { consistent: true });
  await table.update(key("counter"), { value: (found?.value as number) + 1 });
}

test("an actor sometimes runs between another one's read and write", async () => {
  const sums = await overSeeds(20, async (seed) => {
    const { world, table } = await worldWith({ stalls: 20 }, [counter], seed);
    await world.run(["one", "two"].map((name) => ({ name, work: () => addOne(table) })));
    return (await table.get(key("counter")))?.value;
  });
  expect(new Set(sums)).toEqual(new Set([1, 2]));
});

test("the seed determines everything: order, lag, accidents and time, also for parallel calls of an actor", async () => {
  const many = Object.fromEntries(Object.keys(accidents).map((name) => [name, 10]));
  const history = async (seed: number) => {
    const rules = { ...many, holds: true, tornReads: true, tableLag: 1_000, indexLag: 30_000, stalls: 5, skew: 5_000 };
    const { world, table } = await worldWith(rules, [counter], seed);
    const work = async () => {
      for (let times = 0; times < 3; times++) {
        await Promise.allSettled([addOne(table), table.put({ ...key("a"), rank: "1" }), table.queryPartition("LIST")]);
        await world.clock.sleep(100 * Math.random());
      }
    };
    await world.run(["one", "two", "three"].map((name) => ({ name, work })));
    return world.history();
  };
  const [first, ...others] = [await history(1), await history(1), await history(1)];
  expect(others).toEqual([first, first]);
  expect(first?.split("\n").length).toBeGreaterThan(30);
  expect(await history(2)).not.toBe(first);
});

test("others run while an actor sleeps; when all sleep, time jumps to the first that wakes", async () => {
  const world = new RealRules({ seed: 1, start, stalls: 0, skew: 0 });
  const woke: string[] = [];
  const sleeper = (name: string, milliseconds: number) => ({
    name,
    work: async () => {
      await world.clock.sleep(milliseconds);
      woke.push(name);
      await world.clock.sleep(milliseconds);
      woke.push(name);
    },
  });
  await world.run([sleeper("long", 3_600_000), sleeper("short", 2_400_000)]);
  expect(woke).toEqual(["short", "long", "short", "long"]);
  expect(world.clock.now().toISOString().slice(0, 16)).toBe("2027-01-01T01:59");
});

test("an actor that takes long in real time is not overtaken, and calls are made one at a time", async () => {
  const world = new RealRules({ seed: 1, stalls: 0, latency: 10 });
  const made: string[] = [];
  let underWay = 0;
  const request = async () => {
    expect(++underWay).toBe(1);
    await realTime(10);
    underWay--;
  };
  const worker = (name: string, pause: number) => ({
    name,
    work: async () => {
      await world.call("request", request);
      await realTime(pause);
      await world.clock.sleep(pause ? 1 : 100);
      made.push(name);
      await Promise.all([world.call("request", request), realTime(5).then(() => world.call("request", request))]);
    },
  });
  const outcomes = await world.run([worker("quick", 0), worker("slow", 30)]);
  expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(made).toEqual(["slow", "quick"]);
});

test("each actor's clock has its own offset", async () => {
  const world = new RealRules({ seed: 1, start, skew: 1_000 });
  const now = async () => world.clock.now().getTime() - Date.parse(start);
  const outcomes = await world.run([
    { name: "ahead", skew: 60_000, work: now },
    { name: "behind", skew: -60_000, work: now },
    { name: "any", work: now },
  ]);
  const [ahead, behind, any] = outcomes.map(({ value }) => value as number);
  expect(ahead).toBeGreaterThan(60_000 - 1);
  expect(behind).toBeLessThan(-50_000);
  expect(Math.abs(any ?? Number.NaN)).toBeLessThan(7_000);
  expect(any).not.toBe(0);
});

test("an actor can be killed before each of its calls, and its later calls have no effect", async () => {
  const found = [];
  for (let calls = 0; calls <= 3; calls++) {
    const { world, table } = await worldWith({}, [counter]);
    let fetched = 0;
    const work = async () => {
      await addOne(table).finally(() => table.put({ ...key("cleanup") }));
      await world.call("fetch", async () => fetched++);
      await world.clock.sleep(1);
    };
    const [outcome] = await world.run([{ name: "mortal", crashAfterCalls: calls, work }]);
    expect(outcome).toEqual({ name: "mortal", killed: true, calls });
    const items = await table.queryPartition("LIST");
    found.push({ items: items.map(({ sk, value }) => (value ? `${sk} ${value}` : sk)), fetched });
  }
  expect(found).toEqual([
    { items: ["counter"], fetched: 0 },
    { items: ["counter"], fetched: 0 },
    { items: ["counter 1"], fetched: 0 },
    { items: ["cleanup", "counter 1"], fetched: 0 },
  ]);
});

test("other actors continue when one is killed or fails, and calls that it has sent still arrive", async () => {
  const { world, table } = await worldWith({}, [counter]);
  const failure = new Error("of its own");
  const outcomes = await world.run([
    {
      name: "killed",
      crashAfterCalls: 1,
      work: async () => {
        const sent = table.put({ ...key("sent") });
        await Promise.all([sent, world.call("fetch", async () => undefined)]);
      },
    },
    { name: "failing", work: () => Promise.reject(failure) },
    { name: "lasting", work: () => addOne(table) },
  ]);
  expect(outcomes).toEqual([
    { name: "killed", killed: true, calls: 1 },
    { name: "failing", killed: false, calls: 0, error: failure },
    { name: "lasting", killed: false, calls: 2 },
  ]);
  expect((await table.get(key("counter")))?.value).toBe(1);
});

test("a corrected clock has another offset of at most the skew, possibly backward", async () => {
  const world = new RealRules({ seed: 1, start, stalls: 0, skew: 4_000, clockCorrections: 100 });
  const offsets: number[] = [];
  const work = async () => {
    for (let times = 0; times < 20; times++) {
      await world.clock.sleep(1_000);
      offsets.push(world.clock.now().getTime() - world.time);
    }
  };
  await world.run([{ name: "worker", work }]);
  expect(new Set(offsets).size).toBeGreaterThan(10);
  for (const offset of offsets) expect(Math.abs(offset)).toBeLessThanOrEqual(4_000);
});
