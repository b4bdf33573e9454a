import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { nodeOptions } from "../../../infra/constructs/nodeOptions.ts";

/**
 * Runs a program in a process of its own.
 *
 * @param parameters handed over as JSON
 * @param environment settings beside those of this process
 * @returns the most bytes that were resident at once, from its start to its end, and what else the program told
 */
export type RunProgram = <Told extends object = object>(
  parameters: object,
  environment?: NodeJS.ProcessEnv,
) => Promise<Told & { peak: number }>;

/** Runs a program once, as `withProgram` does. */
export async function peakMemoryOf<Told extends object = object>(
  program: URL,
  parameters: object,
  environment: NodeJS.ProcessEnv = {},
): Promise<Told & { peak: number }> {
  return withProgram(program, (run) => run<Told>(parameters, environment));
}

/**
 * Bundles a program, to be run as often as need be, with the settings that the deployed functions have which answer pages,
 * take documents and replicate; these have the same.
 */
export async function withProgram<Result>(program: URL, use: (run: RunProgram) => Promise<Result>): Promise<Result> {
  const entry = relative(process.cwd(), fileURLToPath(program));
  const directory = await mkdtemp(join(tmpdir(), "bench-program-"));
  try {
    // The sandbox leaves the real POS connectors out.
    await bundle("prod", [{ handler: "program", entry }], directory);
    return await use(async (parameters, environment) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...nodeOptions("page").split(" "), join(directory, "program", "index.mjs"), JSON.stringify(parameters)],
        { env: { ...process.env, ...environment, POWERTOOLS_LOG_LEVEL: "SILENT" } },
      );
      return JSON.parse(stdout);
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
