import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { nodeOptions } from "../../../infra/constructs/nodeOptions.ts";

/**
 * Runs a program in a separate process.
 * @param parameters passed as JSON
 * @param environment variables in addition to those of this process
 * @returns the peak of its resident memory in bytes, from start to end, and the other results that the program prints
 */
export type RunProgram = <Figures extends object = object>(
  parameters: object,
  environment?: NodeJS.ProcessEnv,
) => Promise<Figures & { peak: number }>;

/** Runs a program once, as `withProgram` does. */
export async function peakMemoryOf<Figures extends object = object>(
  program: URL,
  parameters: object,
  environment: NodeJS.ProcessEnv = {},
): Promise<Figures & { peak: number }> {
  return withProgram(program, (run) => run<Figures>(parameters, environment));
}

/**
 * Bundles a program that can then run several times. It has the same Node settings as the deployed functions for pages,
 * documents and replication.
 */
export async function withProgram<Result>(program: URL, use: (run: RunProgram) => Promise<Result>): Promise<Result> {
  const entry = relative(process.cwd(), fileURLToPath(program));
  const directory = await mkdtemp(join(tmpdir(), "bench-program-"));
  try {
    // The bundles of the sandbox do not contain the real POS connectors.
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
