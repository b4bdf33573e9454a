import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { eachSeed } from "./eachSeed.ts";
import { type Defenses, noDefenses } from "./journal.ts";
import { simulate } from "./simulate.ts";

/**
 * Expects no faults in the histories of the seeds from first to last.
 *
 * @param isMany whether there are enough histories for each kind of incident to occur. The incidents of one also
 *   depend on the engine's time.
 */
export async function expectHistories(first: number, last: number, isMany: boolean): Promise<void> {
  const defenses = { ...noDefenses };
  const sums = {
    calls: 0,
    kills: 0,
    unchanged: 0,
    pastDays: 0,
    followed: 0,
    followedDays: 0,
    resets: 0,
    falseAnswers: 0,
    tornRestores: 0,
  };
  await eachSeed({ first, last }, async (seed) => {
    const table = await createTestTable();
    const { wrong, ...happened } = await simulate(seed, table, () => testTableOf(table).client);
    expect(wrong, `npm run simulate -- --seed ${seed}`).toEqual([]);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += happened[name];
    for (const name of Object.keys(defenses) as (keyof Defenses)[]) defenses[name] += happened.defenses[name];
    await table.client.send(new DeleteTableCommand({ TableName: table.name }));
    table.client.destroy();
  });
  const seeds = last - first + 1;
  expect(sums.calls).toBeGreaterThan(80 * seeds);
  if (!isMany) return;
  for (const [name, count] of Object.entries(defenses)) expect(count, name).toBeGreaterThan(0);
  expect(sums.kills).toBeGreaterThan(seeds / 2);
  expect(sums.unchanged).toBeGreaterThan(3 * seeds);
  expect(sums.pastDays).toBeGreaterThanOrEqual(seeds);
  expect(sums.followed).toBeGreaterThan(100 * seeds);
  expect(sums.followedDays).toBeGreaterThan(seeds / 2);
  expect(sums.resets).toBeGreaterThan(seeds / 2);
  expect(sums.falseAnswers).toBeGreaterThan(seeds / 4);
  expect(sums.tornRestores).toBeGreaterThan(seeds / 10);
}
