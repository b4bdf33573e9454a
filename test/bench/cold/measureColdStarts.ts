import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { bundleSources, maxBundleBytes } from "../../../infra/bundle/bundleSources.ts";
import { shown } from "../../../infra/cli/terminalOutput.ts";
import { nodeOptions } from "../../../infra/constructs/nodeOptions.ts";
import { tableOf } from "../../../infra/tools/operator/table.ts";
import { median } from "../bench.ts";
import { showProgress } from "../progress.ts";

/** The bar: the median handler takes at most this many times as long as the bare one. */
const maxRatio = 1.4;
const bare = { handler: "bare", entry: "test/bench/cold/bareHandler.ts" };

/**
 * Measures the bundles of all functions, and prints them.
 * @param rounds how often each bundle is imported
 * @returns whether the bars hold
 */
export async function measureColdStarts(rounds: number): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), "bench-cold-"));
  try {
    return await measure(rounds, directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measure(rounds: number, directory: string): Promise<boolean> {
  const progress = showProgress(process.stdout);
  progress.show("bundling");
  const bundles = await bundle("sandbox", [bare, ...bundleSources], directory);
  const times = new Map<string, number[]>(bundles.map(({ handler }) => [handler, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const { handler } of bundles) {
      progress.show(`round ${round} of ${rounds}: ${handler}`);
      times.get(handler)?.push(await importTime(directory, handler));
    }
  }
  const time = (handler: string) => median(times.get(handler) ?? []);
  const least = time(bare.handler);
  const [, ...handlers] = bundles;
  const middle = median(handlers.map(({ handler }) => time(handler) / least));
  const { heading, rows } = tableOf(process.stdout, bundles, {
    handler: ({ handler }) => handler,
    KB: ({ bytes }) => (bytes / 1000).toFixed(0),
    "import, ms": ({ handler }) => time(handler).toFixed(1),
    "times bare": ({ handler }) => (time(handler) / least).toFixed(2),
  });
  for (const line of [heading, ...rows]) progress.line(shown(process.stdout, line));
  const tooBig = handlers.filter(({ bytes }) => bytes > maxBundleBytes);
  progress.line(`\nmedian handler: ${middle.toFixed(2)} times the bare one, at most ${maxRatio}`);
  progress.line(`above ${maxBundleBytes / 1000} KB: ${tooBig.map(({ handler }) => handler).join(", ") || "none"}`);
  return middle <= maxRatio && tooBig.length === 0;
}

async function importTime(directory: string, handler: string): Promise<number> {
  const program = fileURLToPath(new URL("importTime.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, join(directory, handler, "index.mjs")], {
    env: {
      ...process.env,
      NODE_OPTIONS: nodeOptions("page"),
      AWS_REGION: "us-east-1",
      AWS_LAMBDA_FUNCTION_NAME: handler,
    },
  });
  return Number(stdout);
}
