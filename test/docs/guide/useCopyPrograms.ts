import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { beforeAll, type TestContext } from "vitest";
import { filesIn } from "../../../infra/local/environment.ts";
import { useStage } from "../../api/useStage.ts";
import { pythonClient } from "../../clients/pythonClient.ts";
import { sampleFolder } from "../../clients/sampleFolder.ts";
import type { PythonPackages } from "../../pythonPackages.ts";
import { samplesOf } from "./samples.ts";

/** The kinds of records that the programs copy. */
export const kinds = ["customers", "products", "inventory", "inventory-locations", "sales"];

/**
 * The programs of the guide about copies in a folder, and a stage for them.
 * @param prefix the beginning of the folder's name
 */
export function useCopyPrograms(prefix: string) {
  const { stage, data } = useStage();
  const folder = sampleFolder(prefix);
  for (const guide of ["clients", "keep-a-copy"]) {
    for (const { file, code } of samplesOf(readFileSync(`docs/guide/${guide}.md`, "utf8"))) {
      if (file) writeFileSync(join(folder, file), code);
    }
  }
  let python: PythonPackages;
  beforeAll(async () => {
    python = await pythonClient();
  }, 300_000);
  const caller = () => parseEnv(readFileSync(filesIn(data()).callerVariables, "utf8"));
  return {
    stage,
    folder,
    caller,
    /** Skips a test of a program that cannot run here. */
    need: (program: string, { skip }: TestContext) =>
      skip(program === "python3" && python.missing !== undefined, python.missing),
    run: (program: string, file: string, variables: NodeJS.ProcessEnv = {}) => {
      const env = { ...caller(), PATH: process.env.PATH, PYTHONPATH: python.directory, ...variables };
      return promisify(execFile)(program, [file], { cwd: folder, env, timeout: 120_000 });
    },
  };
}
