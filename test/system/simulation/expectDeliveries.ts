import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { eachSeed } from "./eachSeed.ts";
import { simulateWebhooks } from "./simulateWebhooks.ts";

/**
 * Expects no delivery faults in the histories of the seeds from first to last.
 *
 * @param isMany whether there are enough histories for each kind of incident to occur. The incidents of one also
 *   depend on the engine's time; two of a hundred sets of three histories have no replay.
 */
export async function expectDeliveries(first: number, last: number, isMany: boolean): Promise<void> {
  const sums = { events: 0, attempts: 0, failed: 0, merged: 0, kills: 0, replays: 0 };
  await eachSeed({ first, last }, async (seed) => {
    const table = await createTestTable();
    const { wrong, log: _log, ...happened } = await simulateWebhooks(seed, table, () => testTableOf(table).client);
    expect(wrong, `seed ${seed}`).toEqual([]);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += happened[name];
    await table.client.send(new DeleteTableCommand({ TableName: table.name }));
    table.client.destroy();
  });
  expect(sums.attempts).toBeGreaterThan(0);
  if (!isMany) return;
  const seeds = last - first + 1;
  expect(sums.events).toBeGreaterThan(15 * seeds);
  expect(sums.failed).toBeGreaterThan(3 * seeds);
  expect(sums.merged).toBeGreaterThan(5 * seeds);
  expect(sums.kills).toBeGreaterThan(2 * seeds);
  expect(sums.replays).toBeGreaterThan(seeds / 4);
}
