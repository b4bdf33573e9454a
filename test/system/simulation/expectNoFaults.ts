import { DeleteTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { addCounts, eachSeed } from "./eachSeed.ts";

/**
 * Expects no faults in the histories of the seeds from first to last, each on a table of its own.
 *
 * @param options of the command that repeats one of them
 * @returns the sums of their counts, by name
 */
export async function expectNoFaults(
  options: string,
  first: number,
  last: number,
  simulate: (seed: number, table: Table, newClient: () => DynamoDBClient) => Promise<{ wrong: string[] }>,
): Promise<Record<string, number>> {
  const sums = {};
  await eachSeed({ first, last }, async (seed) => {
    const table = await createTestTable();
    const history = await simulate(seed, table, () => testTableOf(table).client);
    expect(history.wrong, `npm run simulate --${options} --seed ${seed}`).toEqual([]);
    addCounts(sums, history);
    await table.client.send(new DeleteTableCommand({ TableName: table.name }));
    table.client.destroy();
  });
  return sums;
}
