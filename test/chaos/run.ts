import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createTable } from "../../infra/local/createTable.ts";
import { startEngine } from "../../infra/local/engine.ts";
import { engineAccess, tableName } from "../../infra/local/environment.ts";
import { log } from "../../shared/aws/log.ts";
import { serviceTable, Table } from "../../shared/table/client.ts";
import { posNames } from "../shared/pos/fakes/fakePos.ts";
import { interceptCalls } from "../shared/table/rankedList/listUnderTest.ts";
import { walk } from "./walk.ts";

const usage = `Runs what goes wrong in random ways, each from a seed, until something is not as it must be.

  npm run chaos -- [--walk] [--pos NAME]... [--runs N] [--seed S]

  --pos NAME  replication of this POS only: ${posNames.join(", ")}
  --walk      walks of a client through all pages of a list while it is replicated, in place of replication
  --runs N    so many, with the seeds 1 to N; 200 of each POS, or 1,000 walks, when not given
  --seed S    only the one with this seed
`;

const { values: options } = parseArgs({
  options: {
    walk: { type: "boolean", default: false },
    pos: { type: "string", multiple: true, default: [] },
    runs: { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const runs = options.runs ?? (options.walk ? "1000" : "200");
const [first, last] = (options.seed ? [options.seed, options.seed] : ["1", runs]).map(Number);
const known = options.pos.every((name) => posNames.some((pos) => pos === name));
if (options.help || !first || !last || !known) {
  process.stderr.write(usage);
  process.exit(options.help ? 0 : 2);
}

const folder = mkdtempSync(join(tmpdir(), "chaos-"));
const engine = await startEngine();
const end = async () => {
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}
try {
  prepareEnvironment();
  process.exitCode = (await (options.walk ? walks(first, last) : replications(first, last))) ? 0 : 1;
} finally {
  await end();
}

function prepareEnvironment(): void {
  log.setLogLevel("CRITICAL");
  const key = join(folder, "service.key");
  writeFileSync(key, "0123456789abcdef".repeat(4), { mode: 0o600 });
  Object.assign(process.env, {
    POWERTOOLS_METRICS_DISABLED: "true",
    SERVICE_KEY_FILE: key,
    SEALING_KEY_FILE: key,
    TABLE_NAME: tableName,
    REPLICATION_QUEUE_URL: "http://127.0.0.1/0/replication",
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_REGION: engineAccess.region,
    AWS_ACCESS_KEY_ID: engineAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engineAccess.credentials.secretAccessKey,
  });
}

function newClient(): DynamoDBClient {
  return new DynamoDBClient({ endpoint: engine.endpoint, ...engineAccess });
}

/** Replications of each POS with the seeds from first to last; whether every table came to what it must be. */
async function replications(from: number, to: number): Promise<boolean> {
  // Not before: metrics ask when they are made whether anybody wants them.
  const { replicationChaos } = await import("./replication.ts");
  let failed = 0;
  for (const pos of posNames.filter((name) => options.pos.length === 0 || options.pos.includes(name))) {
    const sums = { runs: 0, calls: 0, kills: 0, interruptions: 0, faults: 0, duplicates: 0, handovers: 0, items: 0 };
    for (let seed = from; seed <= to; seed++) {
      const tables = { disturbed: await newTable(), calm: await newTable() };
      const { wrong, ...happened } = await replicationChaos(seed, pos, tables);
      sums.runs++;
      for (const name of Object.keys(happened) as (keyof typeof happened)[]) sums[name] += happened[name];
      if (wrong.length > 0) {
        failed++;
        process.stdout.write(`npm run chaos -- --pos ${pos} --seed ${seed}:\n${wrong.join("\n")}\n`);
      }
      if (seed === to || sums.runs % 20 === 0) process.stdout.write(`${pos}: ${JSON.stringify(sums)}\n`);
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

/** Walks with the seeds from first to last; whether none missed anything. */
async function walks(from: number, to: number): Promise<boolean> {
  const client = serviceTable();
  await createTable(client.client, tableName);
  const replication = new Table(tableName, newClient());
  const tables = {
    client,
    clientCalls: interceptCalls(client),
    replication,
    replicationCalls: interceptCalls(replication),
  };
  const sums = { walks: 0, pages: 0, disturbances: 0, unchanged: 0, missed: 0 };
  for (let seed = from; seed <= to; seed++) {
    const { missed, ...walked } = await walk(seed, tables);
    sums.walks++;
    sums.missed += missed.length;
    for (const name of ["pages", "disturbances", "unchanged"] as const) sums[name] += walked[name];
    if (missed.length > 0) {
      process.stdout.write(`npm run chaos -- --walk --seed ${seed}: missed ${missed.join(", ")}\n`);
    } else if (seed === to || sums.walks % 50 === 0) process.stdout.write(`${JSON.stringify(sums)}\n`);
  }
  return sums.missed === 0;
}
