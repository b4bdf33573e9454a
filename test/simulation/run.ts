import { randomUUID } from "node:crypto";
import { DeleteTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createTable } from "../../infra/local/createTable.ts";

import { Table } from "../../shared/table/client.ts";
import { engineClient } from "../engineClient.ts";
import { onEngine } from "../onEngine.ts";
import { programOptions } from "../programOptions.ts";
import { seedRange } from "../seedRange.ts";
import { eachSeed } from "./eachSeed.ts";

const usage = `Replicates a business by DynamoDB's real rules, in histories that follow from a seed, until one goes wrong.

  npm run simulate -- [--seeds N] [--seed S]

  --seeds N  so many, from 1 on, or from S; 200 when not given
  --seed S   alone, only this one: prints its shortest history that goes wrong
`;

const range = programOptions(
  usage,
  { options: { seeds: { type: "string" }, seed: { type: "string" } } },
  ({ values }) => seedRange(values.seed, values.seeds),
);

let newClient: () => DynamoDBClient;
await onEngine(({ endpoint }) => {
  newClient = () => engineClient(endpoint);
  return histories(range);
});

/** The histories of some seeds; whether none went wrong. */
async function histories(range: { first: number; last: number }): Promise<boolean> {
  // Not before: metrics ask when they are made whether anybody wants them.
  const { shortest, simulate } = await import("./history.ts");
  const happenings = { rounds: 0, calls: 0, kills: 0, unchanged: 0, pastDays: 0, followed: 0, resets: 0 };
  const sums = { histories: 0, wrong: 0, ...happenings };
  await eachSeed(range, async (seed) => {
    const { wrong, ...happened } = await onNewTable((table) => simulate(seed, table, newClient));
    sums.histories++;
    for (const name of Object.keys(happenings) as (keyof typeof happenings)[]) sums[name] += happened[name];
    if (wrong.length > 0) {
      sums.wrong++;
      // It may depend on the engine's time, and not come again.
      process.stdout.write(`seed ${seed}: ${wrong.join("; ")}
`);
      const found = await shortest(seed, (rounds) => onNewTable((table) => simulate(seed, table, newClient, rounds)));
      if (range.first === range.last) process.stdout.write(`${found.log}\n`);
      process.stdout.write(`npm run simulate -- --seed ${seed}: ${found.rounds} rounds\n${found.wrong.join("\n")}\n`);
    }
    const isLast = sums.histories === range.last - range.first + 1;
    if (isLast || sums.histories % 20 === 0) process.stdout.write(`${JSON.stringify(sums)}\n`);
  });
  return sums.wrong === 0;
}

async function onNewTable<T>(work: (table: Table) => Promise<T>): Promise<T> {
  const table = new Table(`simulate-${randomUUID()}`, newClient());
  await createTable(table.client, table.name);
  try {
    return await work(table);
  } finally {
    await table.client.send(new DeleteTableCommand({ TableName: table.name }));
    table.client.destroy();
  }
}
