import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { stackName, stackParts } from "../../stages/stackName.ts";
import type { StageName } from "../../stages/stages.ts";
import { isNoSuchStack } from "./stacks.ts";

/** A resource with its type, such as `AWS::Lambda::Function`, and its physical id. */
interface StackResource {
  type: string;
  id: string;
}

/** The names of all functions and roles in the stacks of a stage and their nested stacks. */
export async function namesInStacks(stage: StageName, region: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const part of stackParts) {
    for (const { type, id } of await resourcesIn(stackName(stage, part), region)) {
      if (/^AWS::(Lambda::Function|IAM::Role)$/.test(type)) names.add(id);
    }
  }
  return names;
}

/** The ARNs of the versions in the API's current template, without the versions of earlier releases. */
export async function versionsOfApi(stage: StageName, region: string): Promise<string[]> {
  const resources = await resourcesIn(stackName(stage, "api"), region);
  return resources.filter(({ type }) => type === "AWS::Lambda::Version").map(({ id }) => id);
}

/** The name of the table in the stage's own stack. */
export async function findOwnTable(stage: StageName, region: string): Promise<string> {
  const stack = stackName(stage, "data");
  const table = (await resourcesIn(stack, region)).find(({ type }) => type === "AWS::DynamoDB::Table");
  if (!table) throw new Error(`The stack ${stack} has no table.`);
  return table.id;
}

/** The resources of a stack and of its nested stacks; empty if it does not exist. */
export async function resourcesIn(stack: string, region: string): Promise<StackResource[]> {
  const client = new CloudFormationClient({ region });
  const found: StackResource[] = [];
  const read = async (StackName: string): Promise<void> => {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
      for (const { ResourceType: type = "", PhysicalResourceId: id, ResourceStatus } of StackResourceSummaries) {
        // A resource that left the stack, and was deleted or kept.
        if (!id || ResourceStatus?.startsWith("DELETE_")) continue;
        found.push({ type, id });
        if (type === "AWS::CloudFormation::Stack") await read(id);
      }
    }
  };
  try {
    await read(stack);
    return found;
  } catch (error) {
    if (isNoSuchStack(error)) return [];
    throw error;
  }
}
