import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { useTestSealingKey } from "../testServiceKey.ts";
import { createTestTable, testTableOf } from "../testTable.ts";
import { useQueues } from "../useQueues.ts";
import { eachSeed } from "./eachSeed.ts";
import { simulateWebhooks } from "./webhooks.ts";

useTestSealingKey();
useQueues();

test("whatever happens by DynamoDB's real rules, every event comes to who wants it, each CRB's in order, and is counted", async () => {
  const range = { first: Number(process.env.FIRST ?? 1), last: Number(process.env.LAST ?? 10) };
  const sums = { events: 0, attempts: 0, failed: 0, merged: 0, kills: 0, replays: 0 };
  await eachSeed(range, async (seed) => {
    const table = await createTestTable();
    const { wrong, log, ...happened } = await simulateWebhooks(seed, table, () => testTableOf(table).client);
    expect(wrong, `seed ${seed}`).toEqual([]);
    if (process.env.LAST) console.log(`seed ${seed}`);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += happened[name];
    await table.client.send(new DeleteTableCommand({ TableName: table.name }));
    table.client.destroy();
  });
  console.log(JSON.stringify(sums));
}, 3_600_000);
