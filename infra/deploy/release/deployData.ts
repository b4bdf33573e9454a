import { documentsBucket, replicatedKeyOutputs } from "../../constructs/replicatedKeys.ts";
import { stackName } from "../../stages/stackName.ts";
import type { PlannedRelease } from "./plannedRelease.ts";
import { Stacks } from "./stacks.ts";

/**
 * Deploys the data of a stage and its counterparts in the recovery region: the target of the copies before the data,
 * the replicas of the keys after it.
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
