import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { posNames } from "../../shared/pos/fakes/fakePos.ts";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { createTestTable } from "../../testTable.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { replicationChaos } from "./replicationChaos.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();
useTestBucket();

const seeds = 10;
const sums = { calls: 0, kills: 0, lost: 0, faults: 0, falseAnswers: 0, duplicates: 0, handovers: 0, items: 0 };

test.each(posNames)(
  "%s: after random faults, the table is the same as without faults",
  async (pos) => {
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
  },
  300_000,
);

test("the runs above had enough faults of each kind", () => {
  const least = { kills: 30, faults: 30, falseAnswers: 30, duplicates: 20, handovers: 1, lost: 1, items: 300 * seeds };
  for (const [name, number] of Object.entries(least)) {
    expect(sums[name as keyof typeof sums], name).toBeGreaterThan(number);
  }
});
