import { documentsBucket, replicatedKeyOutputs } from "../../constructs/replicatedKeys.ts";
import { stackName } from "../../stages/stackName.ts";
import type { PlannedRelease } from "./plannedRelease.ts";
import { Stacks } from "./stacks.ts";

/**
 * Deploys the data stack of a stage. If the stage has a recovery region, first deploys the target of the copies in that
 * region, and deploys the replicas of the keys last.
 */
export async function deployData({
  stage,
  settings: { aws },
  region,
  deployStacks,
}: Pick<PlannedRelease, "stage" | "settings" | "region" | "deployStacks">): Promise<void> {
  if (!aws?.recoveryRegion) return await deployStacks(["Data"]);
  await deployStacks(["Recovery"]);
  await deployStacks(["Data"]);
  using stacks = new Stacks(region);
  const { outputs = {} } = (await stacks.find(stackName(stage, "data"))) ?? {};
  const keys = Object.entries(replicatedKeyOutputs(aws)).map(([key, output]) => [`${key}Arn`, outputs[output] ?? ""]);
  const parameters = { ...Object.fromEntries(keys), [documentsBucket]: outputs[documentsBucket] ?? "" };
  await deployStacks(["RecoveryKeys"], parameters);
}
