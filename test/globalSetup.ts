import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { generateClientTypes } from "../infra/codegen/clientTypes.ts";
import { generatePageFiles } from "../infra/codegen/pageFiles.ts";
import { startEngine } from "../infra/local/engine.ts";

declare module "vitest" {
  interface ProvidedContext {
    engineEndpoint: string;
    temporaryDirectory: string;
  }
}

/**
 * Generates the files that are not in version control. Starts one engine in memory and makes one temporary directory
 * for the whole run; every test file creates its own tables and files in them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await Promise.all([generateClientTypes(), generatePageFiles()]);
  const engine = await startEngine();
  const directory = mkdtempSync(join(tmpdir(), "tests-"));
  project.provide("engineEndpoint", engine.endpoint);
  project.provide("temporaryDirectory", directory);
  return async () => {
    await engine.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
