import { randomUUID } from "node:crypto";
import { DeleteTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { Option } from "@commander-js/extra-typings";
import { newProgram, parseOrExit } from "../../../infra/cli/program.ts";
import { createTable } from "../../../infra/local/createTable.ts";
import { Table } from "../../../shared/store/client.ts";
import { engineClient } from "../../engineClient.ts";
import { runOnEngine } from "../../runOnEngine.ts";
import { positive, seedRange } from "../../seedRange.ts";
import { posNames } from "../../shared/pos/fakes/fakePos.ts";

const {
  pos: systems = posNames,
  runs,
  seed,
} = parseOrExit(
  newProgram(
    "npm run chaos --",
    "Replicates while things go wrong in random ways, each from a seed, until something is not as it must be.",
  )
    .addOption(new Option("--pos <NAME...>", "these POS only; all by default").choices(posNames))
    .option(
      "--runs <N>",
      "number of runs of each POS, with the seeds from 1 on, or from --seed; 200 by default",
      positive,
    )
    .option("--seed <S>", "alone, only the one with this seed", positive),
).opts();
const range = seedRange(seed, runs);

let newClient: () => DynamoDBClient;
await runOnEngine(({ endpoint }) => {
  newClient = () => engineClient(endpoint);
  return replications(range);
});

/**
 * Replicates each POS with the seeds from first to last.
 *
 * @returns whether every table was correct
 */
async function replications({ first, last }: { first: number; last: number }): Promise<boolean> {
  // Imported late, because metrics read their settings when they are created.
  const { replicationChaos } = await import("./replicationChaos.ts");
  let failed = 0;
  for (const pos of systems) {
    const sums = {
      runs: 0,
      calls: 0,
      kills: 0,
      lost: 0,
      faults: 0,
      falseAnswers: 0,
      duplicates: 0,
      handovers: 0,
      items: 0,
    };
    for (let seed = first; seed <= last; seed++) {
      const tables = { disturbed: await newTable(), calm: await newTable() };
      const { wrong, ...happened } = await replicationChaos(seed, pos, tables);
      sums.runs++;
      for (const name of Object.keys(happened) as (keyof typeof happened)[]) sums[name] += happened[name];
      if (wrong.length > 0) {
        failed++;
        process.stdout.write(`npm run chaos -- --pos ${pos} --seed ${seed}:\n${wrong.join("\n")}\n`);
      }
      if (seed === last || sums.runs % 20 === 0) process.stdout.write(`${pos}: ${JSON.stringify(sums)}\n`);
      for (const { client, name } of Object.values(tables)) {
        await client.send(new DeleteTableCommand({ TableName: name }));
        client.destroy();
      }
    }
  }
  return failed === 0;
}

async function newTable(): Promise<Table> {
  const client = newClient();
  const name = `chaos-${randomUUID()}`;
  await createTable(client, name);
  return new Table(name, client);
}
