import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { posNames } from "../shared/pos/fakes/fakePos.ts";
import { useTestSealingKey, useTestServiceKey } from "../testServiceKey.ts";
import { createTestTable } from "../testTable.ts";
import { useQueues } from "../useQueues.ts";
import { replicationChaos } from "./replication.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();

// DynamoDB Local takes three times as long for what does not depend on the engine.
const seeds = process.env.DYNAMODB_ENGINE === "dynamodb-local" ? 5 : 20;

test.each(posNames)(
  "%s: whatever goes wrong, the table comes to what it is without a fault",
  async (pos) => {
    const sums = { calls: 0, kills: 0, interruptions: 0, faults: 0, duplicates: 0, handovers: 0, items: 0 };
    for (let seed = 1; seed <= seeds; seed++) {
      const tables = { disturbed: await createTestTable(), calm: await createTestTable() };
      const { wrong, ...happened } = await replicationChaos(seed, pos, tables);
      expect(wrong, `npm run chaos -- --pos ${pos} --seed ${seed}`).toEqual([]);
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += happened[name];
      for (const { client, name } of Object.values(tables)) {
        await client.send(new DeleteTableCommand({ TableName: name }));
        client.destroy();
      }
    }
    // Enough has happened for something to go wrong.
    const leastOf40 = { kills: 40, interruptions: 100, faults: 40, duplicates: 30 };
    for (const [name, least] of Object.entries(leastOf40)) {
      expect(sums[name as keyof typeof sums], name).toBeGreaterThan((least * seeds) / 40);
    }
    expect(sums.items).toBeGreaterThan(100 * seeds);
    // Of a few seeds none may have one.
    if (seeds >= 20) expect(sums.handovers).toBeGreaterThan(0);
  },
  300_000,
);
