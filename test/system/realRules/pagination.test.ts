import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import {
  interceptCalls,
  newList,
  newWriter,
  pageOf,
  recordToWrite,
  storedRecords,
} from "../../shared/store/orderedList/listUnderTest.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { RealRules } from "./realRules.ts";

const midnight = Date.parse("2027-01-01T00:00:00.000Z");
const records = 24;
const names = Array.from({ length: records }, (_, name) => name);

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

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
