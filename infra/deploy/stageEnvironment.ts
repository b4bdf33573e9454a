import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { write } from "../cli/terminalOutput.ts";
import { deployedEnvironment, type Outputs, shellFile } from "../stages/outputs.ts";
import { stackName, stackParts } from "../stages/stackName.ts";
import type { StageName } from "../stages/stages.ts";
import { Stacks } from "./release/stacks.ts";

/**
 * Writes the environment of a stage's programs to `.deployed/STAGE.env`, from the outputs of its stacks, and prints the
 * address of its API.
 *
 * @throws StageError if the region has no API of the stage
 */
export async function writeStageEnvironment(stage: StageName, region: string, { stdout }: Terminal): Promise<void> {
  const stacks = new Stacks(region);
  const outputs: Record<string, Outputs[string]> = {};
  for (const name of stackParts.map((part) => stackName(stage, part))) {
    const stack = await stacks.find(name);
    if (stack) outputs[name] = stack.outputs;
  }
  if (!outputs[stackName(stage, "api")]) {
    throw new StageError(
      `Stage ${stage} is not deployed in ${region}: set AWS_REGION to its region, or run npm run deploy -- --stage ${stage}.`,
    );
  }
  const environment = deployedEnvironment(stage, region, outputs);
  const file = join(".deployed", `${stage}.env`);
  mkdirSync(".deployed", { recursive: true });
  writeFileSync(file, shellFile(environment));
  write(stdout, `${environment.BASE_URL}`, `For the operator's programs: set -a; . ${file}; set +a`);
}
