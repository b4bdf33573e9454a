import { expect, test } from "vitest";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { bareEngine, type Figures } from "./figures.ts";
import type { Observation } from "./observations.ts";
import { RealRules } from "./realRules.ts";
import { key } from "./worldUnderTest.ts";

const bare = await createTestTable();

async function observedWorld(figures: Partial<Figures> = {}) {
  const seen: Observation[] = [];
  const table = testTableOf(bare);
  for (const { sk } of await table.queryPartition(key("").pk)) await table.delete(key(sk));
  const observe = (observation: Observation) => void seen.push(observation);
  const world = new RealRules({ seed: 1, stalls: 0, skew: 0, ...bareEngine, tableLag: 1_000, ...figures, observe });
  world.attach(table);
  return { world, table, seen };
}

test("every committed item is reported with its sender and its new state, also after an update", async () => {
  const { world, table, seen } = await observedWorld();
  const work = async () => {
    await table.transact([
      table.putWrite({ ...key("a"), value: 1 }),
      table.setWrite(key("b"), { value: 2 }),
      table.checkWrite(key("c"), { expression: "attribute_not_exists(pk)" }),
    ]);
    await table.update(key("a"), { value: 3 });
    await table.delete(key("b"));
  };
  await world.run([{ name: "writer", work, skew: 2_000 }]);
  const commits = seen.filter((one) => one.type === "committed");
  const values = commits.map(({ changes }) => changes.map(({ sk, item }) => [sk, item?.value?.N]));
  expect(values).toEqual([
    [
      ["a", "1"],
      ["b", "2"],
    ],
    [["a", "3"]],
    [["b", undefined]],
  ]);
  expect(new Set(commits.map(({ actor }) => actor))).toEqual(new Set(["writer"]));
  // The sender's clock is 2 s ahead; its calls take milliseconds.
  for (const { at, actorTime } of commits) expect(Math.round((actorTime - at) / 1_000)).toBe(2);
});

test("a write that arrives late is reported with its sender", async () => {
  const { world, table, seen } = await observedWorld({ lateWrites: 100 });
  await world.run([{ name: "writer", work: () => table.put(key("a")).catch(() => undefined) }]);
  expect(seen).toMatchObject([{ type: "committed", actor: "writer" }]);
});

test("each failed condition is reported with its item", async () => {
  const { table, seen } = await observedWorld();
  const absent = { expression: "attribute_exists(pk)" };
  await expect(
    table.transact([table.putWrite(key("a")), table.putWrite(key("b"), absent), table.checkWrite(key("c"), absent)]),
  ).rejects.toThrow();
  await expect(table.put(key("d"), absent)).rejects.toThrow();
  expect(seen.map((one) => one.type === "unmet" && one.write.sk)).toEqual(["b", "c", "d"]);
});

test("a consistent read is reported if another node still shows an earlier state", async () => {
  const { world, table, seen } = await observedWorld({ usualLag: 1_000 });
  const ahead = async () => {
    seen.length = 0;
    await table.batchGet([key("a")], { consistent: true, attributes: ["value"] });
    return seen;
  };
  await table.put({ ...key("a"), value: 1 });
  expect(await ahead()).toMatchObject([{ type: "ahead", item: key("a"), attributes: ["pk", "sk", "value"] }]);
  await world.clock.sleep(1_000);
  expect(await ahead()).toEqual([]);
});
