import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "../../cli/runProgram.ts";
import { deployedEnvironment, type Outputs } from "../../stages/outputs.ts";
import { stackName, stackParts } from "../../stages/stackName.ts";
import type { StageName, StageSettings } from "../../stages/stages.ts";
import { cdk } from "../runCdk.ts";
import { deployData } from "./deployData.ts";
import { release } from "./release.ts";
import { Stacks } from "./stacks.ts";

/** A deployment that the operator has requested. */
export interface PlannedDeployment {
  stage: StageName;
  settings: StageSettings;
  account: string;
  region: string;
  /** See `AppOverrides`. */
  accountConcurrency: number | undefined;
  /** Whether no deployment of the stage has succeeded. */
  isNew: boolean;
  /** Whether wider permissions need no approval. */
  yes: boolean;
  atOnce: boolean;
}

/**
 * Synthesizes a stage and deploys it, see `release`.
 *
 * @returns the environment variables for the stage's programs
 * @throws StageError when the CDK fails, or the release was rolled back
 */
export async function deployRelease(planned: PlannedDeployment, terminal: Terminal): Promise<Record<string, string>> {
  const { stage, settings, account, region, accountConcurrency, isNew, yes, atOnce } = planned;
  const approval = ["--require-approval", yes ? "never" : "broadening"];
  const deployStacks =
    (directory: string) =>
    (ids: readonly string[], given: Readonly<Record<string, string>> = {}) => {
      const values = Object.entries(given).flatMap(([name, value]) => ["--parameters", `${name}=${value}`]);
      return cdk(stage, region, ["deploy", ...ids, "--exclusively", "--app", directory, ...approval, ...values]);
    };
  const tried = accountConcurrency === undefined ? {} : { accountConcurrency };
  // The import takes a second. It comes after the check of the options, so that a mistyped option fails at once.
  const { synthesize } = await import("../synthesize.ts");
  const directory = await mkdtemp(join(tmpdir(), "business-data-release-"));
  try {
    // CloudFormation cannot roll back resources with deletion protection, so a first deployment creates them without
    // it.
    if (isNew) {
      const first = join(directory, "first");
      await synthesize(stage, first, { account, region }, { ...tried, isNew });
      await deployData({ stage, settings, region, deployStacks: deployStacks(first) });
    }
    const assembly = join(directory, "release");
    await synthesize(stage, assembly, { account, region }, tried);
    const of = { stage, settings, region, directory: assembly, atOnce };
    await release({ ...of, deployStacks: deployStacks(assembly) }, terminal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return deployedEnvironment(stage, region, await outputsOf(stage, region));
}

async function outputsOf(stage: StageName, region: string): Promise<Outputs> {
  using stacks = new Stacks(region);
  const told: Record<string, Outputs[string]> = {};
  for (const name of stackParts.map((part) => stackName(stage, part))) {
    const found = await stacks.find(name);
    if (found) told[name] = found.outputs;
  }
  return told;
}
