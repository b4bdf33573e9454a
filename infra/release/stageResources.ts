import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { isNoSuchStack } from "../isNewStage.ts";
import { stackName, stackParts } from "../stackName.ts";
import type { StageName } from "../stages.ts";

/** The names of all functions and roles that the stacks of a stage, and those inside them, have. */
export async function namesInStacks(stage: StageName, region: string): Promise<Set<string>> {
  const client = new CloudFormationClient({ region });
  const names = new Set<string>();
  const walk = async (StackName: string): Promise<void> => {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
      for (const { ResourceType = "", PhysicalResourceId: id, ResourceStatus } of StackResourceSummaries) {
        if (!id || ResourceStatus === "DELETE_COMPLETE") continue;
        if (/^AWS::(Lambda::Function|IAM::Role)$/.test(ResourceType)) names.add(id);
        if (ResourceType === "AWS::CloudFormation::Stack") await walk(id);
      }
    }
  };
  try {
    for (const part of stackParts) {
      await walk(stackName(stage, part)).catch((error) => {
        if (!isNoSuchStack(error)) throw error;
      });
    }
    return names;
  } finally {
    client.destroy();
  }
}
