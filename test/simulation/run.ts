import { randomUUID } from "node:crypto";
import { DeleteTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createTable } from "../../infra/local/createTable.ts";
import { newProgram, parseOrExit } from "../../infra/local/program.ts";
import { Table } from "../../shared/table/client.ts";
import { engineClient } from "../engineClient.ts";
import { onEngine } from "../onEngine.ts";
import { positive, seedRange } from "../seedRange.ts";
import { eachSeed } from "./eachSeed.ts";

const { webhooks, seeds, seed } = parseOrExit(
  newProgram(
    "npm run simulate --",
    "Replicates a business, or delivers events to webhooks, by DynamoDB's real rules, in histories that follow from a seed, until one goes wrong.",
  )
    .option("--webhooks", "histories of deliveries in the place of those of a business")
    .option("--seeds <N>", "so many, from 1 on, or from --seed; 200 unless said", positive)
    .option(
      "--seed <S>",
      "alone, only this one: prints the history that goes wrong, of a business the shortest",
      positive,
    ),
).opts();
const range = seedRange(seed, seeds);

let newClient: () => DynamoDBClient;
await onEngine(({ endpoint }) => {
  newClient = () => engineClient(endpoint);
  return webhooks ? historiesOfWebhooks() : historiesOfBusiness();
});

/** @returns whether no history of a business went wrong */
async function historiesOfBusiness(): Promise<boolean> {
  // Not before: metrics ask when they are made whether anybody wants them.
  const { shortest, simulate } = await import("./history.ts");
  const run = (seed: number, rounds?: number) => onNewTable((table) => simulate(seed, table, newClient, rounds));
  return histories(run, async (seed) => {
    const { rounds, ...found } = await shortest(seed, (most) => run(seed, most));
    return { ...found, title: `npm run simulate -- --seed ${seed}: ${rounds} rounds` };
  });
}

/** @returns whether no history of deliveries went wrong */
async function historiesOfWebhooks(): Promise<boolean> {
  const { simulateWebhooks } = await import("./webhooks.ts");
  const run = (seed: number) => onNewTable((table) => simulateWebhooks(seed, table, newClient));
  return histories(run, async (seed, found) => ({ ...found, title: `npm run simulate -- --webhooks --seed ${seed}` }));
}

/**
 * The histories of the seeds that are asked for, with the sums of what happens in them from time to time.
 *
 * @param explain what is printed of one that goes wrong, which may depend on the engine's time, and not come again
 */
async function histories<Of extends { wrong: string[]; log: string }>(
  run: (seed: number) => Promise<Of>,
  explain: (seed: number, found: Of) => Promise<{ title: string; wrong: string[]; log: string }>,
): Promise<boolean> {
  const sums: Record<string, number> = { histories: 0, wrong: 0 };
  await eachSeed(range, async (seed) => {
    const found = await run(seed);
    sums.histories = (sums.histories ?? 0) + 1;
    for (const [name, count] of Object.entries(found))
      if (typeof count === "number") sums[name] = (sums[name] ?? 0) + count;
    if (found.wrong.length > 0) {
      sums.wrong = (sums.wrong ?? 0) + 1;
      process.stdout.write(`seed ${seed}: ${found.wrong.join("; ")}\n`);
      const { title, wrong, log } = await explain(seed, found);
      if (range.first === range.last) process.stdout.write(`${log}\n`);
      process.stdout.write(`${title}\n${wrong.join("\n")}\n`);
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
