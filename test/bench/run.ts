import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createTable } from "../../infra/local/createTable.ts";
import { startEngine } from "../../infra/local/engine.ts";
import { engineAccess, tableName } from "../../infra/local/environment.ts";
import { serviceTable } from "../../shared/table/client.ts";
import type { Bar, Bench, Curve, Figure } from "./bench.ts";
import { count } from "./bench.ts";
import { drawCharts } from "./charts.ts";
import { DataSets } from "./data/dataSets.ts";
import { deepPages } from "./figures/deepPages.ts";
import { expand } from "./figures/expand.ts";
import { firstPage } from "./figures/firstPage.ts";
import { poll } from "./figures/poll.ts";
import { posMemory } from "./figures/posMemory.ts";
import { record } from "./figures/record.ts";
import { replicationSpeed, workerMemory } from "./figures/replicationSpeed.ts";
import { sales } from "./figures/sales.ts";
import { search } from "./figures/search.ts";
import { server } from "./figures/server.ts";
import { upload } from "./figures/upload.ts";
import { windows } from "./figures/windows.ts";
import { writeUnits } from "./figures/writeUnits.ts";
import { figureTable } from "./figureTable.ts";
import { showProgress } from "./progress.ts";

const groups = {
  firstPage,
  poll,
  record,
  server,
  expand,
  deepPages,
  windows,
  search,
  sales,
  writeUnits,
  replicationSpeed,
  workerMemory,
  posMemory,
  upload,
};

const usage = `Measures the service against its bars, side by side with the bare SDK and a textbook handler.

  npm run bench -- [--records N] [--only name]...

  --records N   records of the biggest list, 10,000 or more; 100,000 when not given
  --only name   these groups of figures only: ${Object.keys(groups).join(", ")}
`;

const { values: options } = parseArgs({
  options: {
    records: { type: "string", default: "100000" },
    only: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});
const records = Number(options.records.replaceAll(/[,_]/g, ""));
const { only } = options;
const chosen = Object.entries(groups).filter(([name]) => only.length === 0 || only.includes(name));
const known = only.every((name) => name in groups);
if (options.help || !(Number.isInteger(records) && records >= 10_000) || !known) {
  process.stderr.write(usage);
  process.exit(options.help ? 0 : 2);
}

const project = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const engine = await startEngine({ dataFile: join(folder, "table.db") });
const end = async () => {
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}
const figures: Figure[] = [];
const curves: Curve[] = [];
const progress = showProgress(process.stderr);
const print = process.stdout.write.bind(process.stdout);
try {
  prepareEnvironment();
  const table = serviceTable();
  await createTable(table.client, tableName);
  const data = new DataSets(table, progress.show);
  const bench: Bench = { table, records, data, figure: note, point, progress: progress.show };
  for (const [name, measure] of chosen) {
    const started = performance.now();
    await measure(bench);
    progress.line(`${name}: measured after ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  }
} finally {
  await end();
}
print(figureTable(figures));
mkdirSync(join(project, ".local"), { recursive: true });
writeFileSync(join(project, ".local", "bench.json"), `${JSON.stringify(figures, null, 2)}\n`);
drawCharts(curves, join(project, "docs", "bench"));
const missed = figures.filter(({ holds }) => !holds);
print(`\n${missed.length === 0 ? "All bars hold." : `${missed.length} of the bars do not hold.`}\n`);
process.exit(missed.length === 0 ? 0 : 1);

/** What the functions find in their environment. Their log lines go to a file, as on AWS they go to CloudWatch. */
function prepareEnvironment(): void {
  const serviceKey = join(folder, "service.key");
  writeFileSync(serviceKey, "0123456789abcdef".repeat(4), { mode: 0o600 });
  Object.assign(process.env, {
    STAGE: "local",
    ETAG_SETTLE_SECONDS: "0",
    TABLE_NAME: tableName,
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

function point(chart: Curve["chart"], line: string, x: number, y: number): void {
  let curve = curves.find((other) => other.chart === chart && other.line === line);
  if (!curve) {
    curve = { chart, line, points: [] };
    curves.push(curve);
  }
  curve.points.push({ x, y });
}
