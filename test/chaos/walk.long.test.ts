import { beforeAll, expect, test } from "vitest";
import { interceptCalls } from "../shared/table/rankedList/listUnderTest.ts";
import { useTestServiceKey } from "../testServiceKey.ts";
import { testTableOf } from "../testTable.ts";
import { useTestTable } from "../useTestTable.ts";
import { type WalkTables, walk } from "./walk.ts";

useTestServiceKey();
const table = useTestTable();
let tables: WalkTables;
beforeAll(() => {
  const replication = testTableOf(table());
  tables = {
    client: table(),
    clientCalls: interceptCalls(table()),
    replication,
    replicationCalls: interceptCalls(replication),
  };
});

test("a walk through all pages during replication misses no unchanged record", async () => {
  const sums = { pages: 0, disturbances: 0, unchanged: 0 };
  for (let seed = 1; seed <= 50; seed++) {
    const { missed, ...walked } = await walk(seed, tables);
    expect(missed, `npm run chaos -- --walk --seed ${seed}`).toEqual([]);
    for (const name of ["pages", "disturbances", "unchanged"] as const) sums[name] += walked[name];
  }
  // Enough has happened for something to be missed.
  expect(sums.pages).toBeGreaterThan(200);
  expect(sums.disturbances).toBeGreaterThan(150);
  expect(sums.unchanged).toBeGreaterThan(400);
}, 120_000);
