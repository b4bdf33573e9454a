import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { newProgram, parseOrExit } from "../../infra/cli/program.ts";
import { StageError } from "../../infra/cli/stageError.ts";
import { createTable } from "../../infra/local/createTable.ts";
import { startEngine } from "../../infra/local/engine.ts";
import { engineAccess, tableName } from "../../infra/local/environment.ts";
import { serviceTable, Table } from "../../shared/store/client.ts";
import { claimStoredFormat } from "../../shared/store/storedFormat.ts";
import { engineClient } from "../engineClient.ts";
import { positive } from "../seedRange.ts";
import type { Bar, Figure, Scratch } from "./bench.ts";
import { count } from "./bench.ts";
import { DataSets } from "./data/dataSets.ts";
import { type KeptData, openKeptData } from "./data/keptData.ts";
import { busyList } from "./figures/busyList.ts";
import { changes } from "./figures/changes.ts";
import { deepPages } from "./figures/deepPages.ts";
import { deposits } from "./figures/deposits.ts";
import { expand } from "./figures/expand.ts";
import { exports } from "./figures/exports.ts";
import { firstPage } from "./figures/firstPage.ts";
import { pastDays } from "./figures/pastDays.ts";
import { poll } from "./figures/poll.ts";
import { posMemory } from "./figures/posMemory.ts";
import { record } from "./figures/record.ts";
import { replicationSpeed, workerMemory } from "./figures/replicationSpeed.ts";
import { sales } from "./figures/sales.ts";
import { salesDays } from "./figures/salesDays.ts";
import { search } from "./figures/search.ts";
import { upload } from "./figures/upload.ts";
import { vanished } from "./figures/vanished.ts";
import { windows } from "./figures/windows.ts";
import { workerBatch } from "./figures/workerBatch.ts";
import { writeUnits } from "./figures/writeUnits.ts";
import { figureTable } from "./figureTable.ts";
import { forEachConcurrently } from "./forEachConcurrently.ts";
import { showProgress } from "./progress.ts";

const groups = {
  firstPage,
  poll,
  record,
  expand,
  deepPages,
  windows,
  search,
  sales,
  salesDays,
  deposits,
  writeUnits,
  busyList,
  changes,
  exports,
  replicationSpeed,
  customerMemory: workerMemory("customer"),
  saleMemory: workerMemory("sale"),
  vanished,
  pastDays,
  posMemory,
  workerBatch,
  upload,
};

/** Groups that run separate processes; of their figures only the memory has a bar. */
const ofProcesses = [
  "customerMemory",
  "saleMemory",
  "vanished",
  "pastDays",
  "posMemory",
  "workerBatch",
  "upload",
  "exports",
];

/** The rounds of `bench -- cold`; undefined for the benchmark itself. */
const cold: { rounds?: number } = {};
const { records, ...options } = parseOrExit(
  newProgram(
    "npm run bench --",
    "Measures the service against its bars, side by side with the bare SDK. The lists that are only read are made once and kept in .local/bench, until the code that stores them changes.",
  )
    .option("--records <N>", "records of the biggest list, 10,000 or more", recordsOf, 100_000)
    .addOption(new Option("--only <NAME...>", "these groups of figures only").choices(Object.keys(groups)))
    .option("--bars", "for the bars alone: measures memory in two processes at once, so their times cannot be compared")
    // The program has commands, but also runs without one.
    .action(() => undefined)
    .addCommand(
      newProgram(
        "cold",
        "Measures the bundles: their size, and how long importing them takes, compared with a handler that imports only the client of DynamoDB.",
      )
        .option("--rounds <N>", "how often each is imported, each time in a process of its own", positive, 9)
        .action(({ rounds }) => {
          cold.rounds = rounds;
        }),
    ),
).opts();
if (cold.rounds !== undefined) {
  const { measureColdStarts } = await import("./cold/measureColdStarts.ts");
  process.exit((await measureColdStarts(cold.rounds)) ? 0 : 1);
}
const { only } = options;
const chosen = Object.entries(groups).filter(([name]) => !only || only.includes(name));

function recordsOf(text: string): number {
  const records = Number(text.replaceAll(/[,_]/g, ""));
  if (!Number.isInteger(records) || records < 10_000) throw new InvalidArgumentError("It must be 10,000 or more.");
  return records;
}

const project = fileURLToPath(new URL("../..", import.meta.url));
const { dataFile, tableName: keptTable, lock } = await takeKeptData();
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const [engine, scratchEngine] = await Promise.all([
  startEngine({ dataFile, spawned: lock.engineSpawned }),
  startEngine({ dataFile: join(folder, "table.db") }),
]);
const end = async () => {
  await Promise.all([engine.stop(), scratchEngine.stop()]);
  lock.release();
  rmSync(folder, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}
const figures: Figure[] = [];
const progress = showProgress(process.stderr);
const print = process.stdout.write.bind(process.stdout);
try {
  prepareEnvironment();
  const table = serviceTable();
  // The client of the service sends no write to a table without a format number.
  const client = engineClient(engine.endpoint);
  await createTable(client, table.name);
  await claimStoredFormat(client, table.name);
  client.destroy();
  const data = new DataSets(table, progress.show);
  const scratch = await createScratch();
  const measureGroup = async ([name, measure]: (typeof chosen)[number]) => {
    const started = performance.now();
    await measure({ table, scratch, records, data, figure: note, progress: progress.show });
    progress.line(`${name}: measured after ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  };
  const { own = [], others = [] } = Object.groupBy(chosen, ([name]) => (ofProcesses.includes(name) ? "own" : "others"));
  await forEachConcurrently(1, others, measureGroup);
  // If only bars matter, the speed of these groups may suffer.
  await forEachConcurrently(options.bars ? 2 : 1, own, measureGroup);
} finally {
  await end();
}
print(figureTable(figures));
writeFileSync(join(project, ".local", "bench.json"), `${JSON.stringify(figures, null, 2)}\n`);
const missed = figures.filter(({ holds }) => !holds);
print(`\n${missed.length === 0 ? "All bars hold." : `${missed.length} of the bars do not hold.`}\n`);
process.exit(missed.length === 0 ? 0 : 1);

/** Locks the kept lists for this run. */
async function takeKeptData(): Promise<KeptData> {
  try {
    return await openKeptData(join(project, ".local", "bench"));
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** A table on a separate engine, through a client like the service's. */
async function createScratch(): Promise<Scratch> {
  const { endpoint } = scratchEngine;
  const { requestHandler } = serviceTable().client.config;
  const client = new DynamoDBClient({ endpoint, requestHandler });
  client.middlewareStack.remove("loggerMiddleware");
  await createTable(client, tableName);
  await claimStoredFormat(client, tableName);
  return {
    table: new Table(tableName, client),
    environment: { TABLE_NAME: tableName, AWS_ENDPOINT_URL_DYNAMODB: endpoint },
  };
}

/** Sets the environment variables of the functions. Their log lines go to a file, as they go to CloudWatch on AWS. */
function prepareEnvironment(): void {
  const serviceKey = join(folder, "service.key");
  writeFileSync(serviceKey, "0123456789abcdef".repeat(4), { mode: 0o600 });
  Object.assign(process.env, {
    STAGE: "local",
    ETAG_SETTLE_SECONDS: "0",
    TABLE_NAME: keptTable,
    SERVICE_KEY_FILE: serviceKey,
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_REGION: engineAccess.region,
    AWS_ACCESS_KEY_ID: engineAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engineAccess.credentials.secretAccessKey,
  });
  const log = createWriteStream(join(folder, "functions.log"));
  process.stdout.write = log.write.bind(log) as typeof process.stdout.write;
}

function note(name: string, value: number, unit: string, bar?: Bar): void {
  const rounded = Number(value.toPrecision(4));
  const text = bar && ("atMost" in bar ? `at most ${count(bar.atMost)}` : `at least ${count(bar.atLeast)}`);
  const holds = !bar || ("atMost" in bar ? value <= bar.atMost : value >= bar.atLeast);
  figures.push({ name, value: rounded, unit, bar: text ?? null, holds });
  progress.line(`${holds ? " " : "!"} ${name}: ${count(rounded)} ${unit}${text ? ` (${text})` : ""}`);
}
