import { DescribeKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { replicatedKeyOutputs } from "../../constructs/replicatedKeys.ts";
import { stackName } from "../../stages/stackName.ts";
import { Stacks } from "../release/stacks.ts";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/**
 * Reports keys of an existing stage that cannot have replicas in the recovery region. KMS cannot convert a key to a
 * multi-region key, and a new key cannot decrypt stored data.
 */
export async function checkKeys({ name, settings: { aws }, region, isNew }: PlannedDeployment): Promise<string[]> {
  if (!aws?.recoveryRegion || isNew) return [];
  using stacks = new Stacks(region);
  const { outputs = {} } = (await stacks.find(stackName(name, "data"))) ?? {};
  const client = new KMSClient({ region });
  try {
    const single: string[] = [];
    for (const output of Object.values(replicatedKeyOutputs(aws))) {
      const KeyId = outputs[output];
      if (!KeyId) continue;
      const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId }));
      if (!KeyMetadata?.MultiRegion) single.push(KeyId);
    }
    if (single.length === 0) return [];
    return [
      `Stage ${name} was created without recoveryRegion, and KMS cannot convert its keys for another region ` +
        `(${single.join(", ")}): remove recoveryRegion from the stage in infra/stages/stages.ts, or move the data to a new stage with recoveryRegion.`,
    ];
  } finally {
    client.destroy();
  }
}
