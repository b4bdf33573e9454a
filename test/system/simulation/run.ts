import { randomUUID } from "node:crypto";
import { DeleteTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { newProgram, parseOrExit } from "../../../infra/cli/program.ts";
import { createTable } from "../../../infra/local/createTable.ts";
import { Table } from "../../../shared/store/client.ts";
import { engineClient } from "../../engineClient.ts";
import { runOnEngine } from "../../runOnEngine.ts";
import { positive, seedRange } from "../../seedRange.ts";
import { addCounts, eachSeed } from "./eachSeed.ts";
import { findPlanted } from "./findPlanted.ts";

const { webhooks, insights, seeds, seed, planted, untilWrong } = parseOrExit(
  newProgram(
    "npm run simulate --",
    "Replicates a business, delivers events to webhooks, or raises insights by DynamoDB's real rules, in histories that follow from a seed, until one goes wrong.",
  )
    .option("--webhooks", "histories of deliveries in the place of those of a business")
    .option("--insights", "histories of insights in the place of those of a business")
    .option("--until-wrong", "ends at the first history that goes wrong")
    .option(
      "--planted [NUMBER]",
      "plants the defects of plantedDefects.ts, or one of them, and reports which are found",
      positive,
    )
    .option("--seeds <N>", "number of histories, from seed 1 on, or from --seed; 200 by default", positive)
    .option(
      "--seed <S>",
      "alone, only this one: prints the history that goes wrong, of a business the shortest",
      positive,
    ),
).opts();
const range = seedRange(seed, seeds);
/** From this number of histories on, each defense must have decided something. */
const minManyHistories = 200;

type Sums = Record<string, number> & { histories: number; wrong: number };

let newClient: () => DynamoDBClient;
await runOnEngine(async ({ endpoint }) => {
  if (planted) return findPlanted(endpoint, range, planted === true ? undefined : planted);
  newClient = () => engineClient(endpoint);
  if (webhooks) return historiesOf("--webhooks", (await import("./simulateWebhooks.ts")).simulateWebhooks);
  if (insights) return historiesOf("--insights", (await import("./simulateInsights.ts")).simulateInsights);
  return historiesOfBusiness();
});

/** @returns whether no history of a business had a fault */
async function historiesOfBusiness(): Promise<boolean> {
  // Imported late, because metrics read their settings when they are created.
  const { shortest, simulate } = await import("./simulate.ts");
  const { noDefenses } = await import("./journal.ts");
  const run = (seed: number, rounds?: number) => onNewTable((table) => simulate(seed, table, newClient, rounds));
  const sums = await histories(run, async (seed) => {
    const { rounds, ...found } = await shortest(seed, (most) => run(seed, most));
    return { ...found, title: `npm run simulate -- --seed ${seed}: ${rounds} rounds` };
  });
  // A planted defect may be the absence of a defense.
  const isMany = sums.histories >= minManyHistories && !untilWrong;
  const idle = Object.keys(noDefenses).filter((name) => isMany && !sums[name]);
  if (idle.length > 0) process.stdout.write(`no history needed these defenses: ${idle.join(", ")}\n`);
  return sums.wrong === 0 && idle.length === 0;
}

/** @returns whether no history of deliveries or of insights had a fault */
async function historiesOf<Of extends { wrong: string[]; log: string }>(
  option: string,
  simulate: (seed: number, bare: Table, newClient: () => DynamoDBClient) => Promise<Of>,
): Promise<boolean> {
  const run = (seed: number) => onNewTable((table) => simulate(seed, table, newClient));
  const sums = await histories(run, async (seed, found) => ({
    ...found,
    title: `npm run simulate -- ${option} --seed ${seed}`,
  }));
  return sums.wrong === 0;
}

/**
 * Runs the histories of the given seeds, and prints their totals from time to time.
 *
 * @param explain printed for a faulty history, which may not recur because it also depends on the engine's time
 */
async function histories<Of extends { wrong: string[]; defenses?: Record<string, number>; log: string }>(
  run: (seed: number) => Promise<Of>,
  explain: (seed: number, found: Of) => Promise<{ title: string; wrong: string[]; log: string }>,
): Promise<Sums> {
  const sums: Sums = { histories: 0, wrong: 0 };
  const work = async (seed: number) => {
    const found = await run(seed);
    sums.histories++;
    addCounts(sums, found);
    if (found.wrong.length > 0) {
      sums.wrong++;
      process.stdout.write(`seed ${seed}: ${found.wrong.join("; ")}\n`);
      if (untilWrong) return;
      const { title, wrong, log } = await explain(seed, found);
      if (range.first === range.last) process.stdout.write(`${log}\n`);
      process.stdout.write(`${title}\n${wrong.join("\n")}\n`);
    }
    const isLast = sums.histories === range.last - range.first + 1;
    if (isLast || sums.histories % 20 === 0) process.stdout.write(`${JSON.stringify(sums)}\n`);
  };
  await eachSeed(range, work, () => untilWrong === true && sums.wrong !== 0);
  return sums;
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
