import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Terminal } from "../../cli/runProgram.ts";
import type { StageName, StageSettings } from "../../stages/stages.ts";
import { cdk } from "../runCdk.ts";
import { firstFolder } from "./assembly.ts";
import { deployData } from "./deployData.ts";
import { release } from "./release.ts";

/** A deployment that the operator has requested. */
export interface PlannedDeployment {
  stage: StageName;
  settings: StageSettings;
  account: string;
  region: string;
  /** The concurrency limit of the account in the region; undefined for a stage without functions. */
  accountConcurrency: number | undefined;
  /** Whether no deployment of the stage has succeeded. */
  isNew: boolean;
  /** Whether wider permissions need no approval. */
  yes: boolean;
  /** Whether the stage is paused, and stays so. */
  paused: boolean;
  atOnce: boolean;
  /** The directory with the output of `npm run synth`; the deployment synthesizes if undefined. */
  assembly: string | undefined;
}

/**
 * Deploys a stage from its assembly, see `release`.
 *
 * @throws StageError when the CDK fails, or the release was rolled back
 */
export async function deployRelease(planned: PlannedDeployment, terminal: Terminal): Promise<void> {
  const { stage, settings, account, region, accountConcurrency, isNew, yes, paused, atOnce, assembly } = planned;
  const approval = ["--require-approval", yes ? "never" : "broadening"];
  const deployStacks =
    (directory: string) =>
    (ids: readonly string[], given: Readonly<Record<string, string>> = {}) => {
      const values = Object.entries(given).flatMap(([name, value]) => ["--parameters", `${name}=${value}`]);
      return cdk(stage, region, ["deploy", ...ids, "--exclusively", "--app", directory, ...approval, ...values]);
    };
  const made = assembly === undefined ? await mkdtemp(join(tmpdir(), "business-data-release-")) : undefined;
  const directory = resolve(assembly ?? made ?? "");
  try {
    if (made !== undefined) {
      // A given assembly was synthesized elsewhere, so neither CDK apps nor bundlers run here. The import takes a second.
      const { synthesize } = await import("../synthesize.ts");
      await synthesize(stage, directory, {}, {}, { withFirst: isNew });
    }
    // CloudFormation cannot roll back resources with deletion protection, so a first deployment creates them without
    // it.
    if (isNew) {
      await deployData({ stage, settings, region, deployStacks: deployStacks(join(directory, firstFolder)) });
    }
    const of = { stage, settings, account, region, accountConcurrency, directory, paused, atOnce };
    await release({ ...of, deployStacks: deployStacks(directory) }, terminal);
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }
}
