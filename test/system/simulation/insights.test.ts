import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { eachSeed } from "./eachSeed.ts";
import { simulateInsights } from "./simulateInsights.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();

test("in any history by DynamoDB's real rules, no insight is lost, stored twice or deleted, each change has one event, and a statement as of an instant always has the same files", async () => {
  const seeds = isThorough ? 100 : 2;
  const sums = { raised: 0, withdrawn: 0, decided: 0, updated: 0, kills: 0, tornRestores: 0 };
  await eachSeed({ first: 1, last: seeds }, async (seed) => {
    const table = await createTestTable();
    const { wrong, ...happened } = await simulateInsights(seed, table, () => testTableOf(table).client);
    expect(wrong, `npm run simulate -- --insights --seed ${seed}`).toEqual([]);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += happened[name];
    await table.client.send(new DeleteTableCommand({ TableName: table.name }));
    table.client.destroy();
  });
  expect(sums.raised).toBeGreaterThan(5 * seeds);
  if (!isThorough) return;
  expect(sums.withdrawn).toBeGreaterThan(seeds);
  expect(sums.decided).toBeGreaterThan(seeds);
  expect(sums.updated).toBeGreaterThan(seeds);
  expect(sums.kills).toBeGreaterThan(seeds / 2);
  expect(sums.tornRestores).toBeGreaterThan(seeds / 4);
}, 1_800_000);
