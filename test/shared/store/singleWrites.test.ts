import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { RealRules } from "../../system/realRules/realRules.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";

let bare: Table;
beforeAll(async () => {
  bare = await createTestTable();
});

test("an item that a transaction has locked is written once it is free", async () => {
  let conflictCount = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const world = new RealRules({ seed });
    const table = testTableOf(bare, world.clock);
    world.attach(table);
    const keys = ["put", "update", "change", "delete"].map((sk) => ({ pk: `seed ${seed}`, sk }));
    const [put, update, change, remove] = keys as [
      (typeof keys)[0],
      (typeof keys)[0],
      (typeof keys)[0],
      (typeof keys)[0],
    ];
    const add = { expression: "SET #n = :n", names: { "#n": "n" }, values: { ":n": 1 } };
    const outcomes = await world.run([
      { name: "transaction", work: () => table.transact(keys.map((key) => table.checkWrite(key, absent))) },
      { name: "put", work: () => table.put({ ...put, n: 1 }) },
      { name: "update", work: () => table.update(update, { n: 1 }) },
      { name: "change", work: () => table.change(change, add, "attribute_not_exists(#n)") },
      { name: "delete", work: () => table.delete(remove) },
    ]);
    for (const { name, error } of outcomes.slice(1)) expect(error, `${name}, ${world.history()}`).toBeUndefined();
    const stored = await bare.queryPartition(`seed ${seed}`, { consistent: true });
    expect(stored.map(({ sk, n }) => [sk, n])).toEqual([
      ["change", 1],
      ["put", 1],
      ["update", 1],
    ]);
    if (world.history().includes("TransactionConflictException")) conflictCount++;
  }
  expect(conflictCount).toBeGreaterThan(5);
});

const absent = { expression: "attribute_not_exists(pk)" };
