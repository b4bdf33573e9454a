import { APIGatewayClient, DeleteDeploymentCommand, paginateGetDeployments } from "@aws-sdk/client-api-gateway";
import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import {
  DeleteFunctionCommand,
  LambdaClient,
  ListTagsCommand,
  paginateListFunctions,
  paginateListVersionsByFunction,
  TagResourceCommand,
} from "@aws-sdk/client-lambda";
import { isNoSuchStack } from "../isNewStage.ts";
import { stackName, stackParts } from "../stackName.ts";
import type { StageName } from "../stages.ts";
import { deleteRole } from "./deleteRole.ts";

/** Since when a function is in no release, as a tag of it. */
const retiredTag = "retired";

/** What a tidying has removed. */
export interface Removed {
  deployments: number;
  versions: number;
  functions: number;
}

/** A function of the stage, whether or not a stack still has it. */
interface Found {
  name: string;
  arn: string;
  role: string;
}

/**
 * Removes what no deployment names that the stage may go back to: deployments, versions of functions, and functions that
 * releases have removed, with their roles. CloudFormation keeps all of it, since it knows nothing of going back.
 *
 * Which version a deployment names is known by time: CloudFormation publishes all of a release before it makes the
 * deployment, so it is the newest one then.
 *
 * @param restApiId the stage's API
 * @param kept ids of the deployments to keep
 * @throws Error when AWS refuses a call; what is left is removed the next time
 */
export async function tidy(
  stage: StageName,
  region: string,
  restApiId: string,
  kept: ReadonlySet<string>,
): Promise<Removed> {
  const client = new LambdaClient({ region });
  try {
    const { removed: deployments, made } = await removeDeployments(region, restApiId, kept);
    if (made.length === 0) throw new Error(`API Gateway has none of the deployments ${[...kept].join(", ")}`);
    const [oldest, newest] = [Math.min(...made.map(Number)), Math.max(...made.map(Number))];
    const current = await namesInStacks(stage, region);
    let [versions, functions] = [0, 0];
    // One after the other: Lambda takes 15 such calls a second.
    for (const found of await functionsOf(client, stage)) {
      const retired = current.has(found.name) ? undefined : await retiredSince(client, found.arn, newest);
      // No deployment names it that was made when it was gone, or later.
      if (retired !== undefined && retired <= oldest) {
        await client.send(new DeleteFunctionCommand({ FunctionName: found.name }));
        await deleteRole(region, found.role);
        functions++;
      } else {
        versions += await removeVersions(client, found.name, made);
      }
    }
    return { deployments, versions, functions };
  } finally {
    client.destroy();
  }
}

async function removeDeployments(region: string, restApiId: string, kept: ReadonlySet<string>) {
  const client = new APIGatewayClient({ region });
  try {
    const made: Date[] = [];
    const needless: string[] = [];
    for await (const { items = [] } of paginateGetDeployments({ client }, { restApiId })) {
      for (const { id: deploymentId = "", createdDate = new Date(0) } of items) {
        if (kept.has(deploymentId)) made.push(createdDate);
        else needless.push(deploymentId);
      }
    }
    for (const deploymentId of needless) await client.send(new DeleteDeploymentCommand({ restApiId, deploymentId }));
    return { removed: needless.length, made };
  } finally {
    client.destroy();
  }
}

/** The names of all functions that the stacks of the stage, and those inside them, have. */
async function namesInStacks(stage: StageName, region: string): Promise<Set<string>> {
  const client = new CloudFormationClient({ region });
  const names = new Set<string>();
  const walk = async (StackName: string): Promise<void> => {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
      for (const { ResourceType, PhysicalResourceId: id, ResourceStatus } of StackResourceSummaries) {
        if (!id || ResourceStatus === "DELETE_COMPLETE") continue;
        if (ResourceType === "AWS::Lambda::Function") names.add(id);
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

/** All functions of the stage. */
async function functionsOf(client: LambdaClient, stage: StageName): Promise<Found[]> {
  const found: Found[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    for (const { FunctionName: name = "", FunctionArn: arn = "", Role: role = "", ...each } of Functions) {
      const isOurs = name.startsWith("business-data-") && each.Description?.startsWith("functions/");
      if (isOurs && each.Environment?.Variables?.STAGE === stage) found.push({ name, arn, role });
    }
  }
  return found;
}

/** Since when a function is in no stack: the time of the newest deployment, where nobody has noted it. */
async function retiredSince(client: LambdaClient, Resource: string, newest: number): Promise<number> {
  const { Tags = {} } = await client.send(new ListTagsCommand({ Resource }));
  const since = Tags[retiredTag];
  if (since) return Date.parse(since);
  await client.send(new TagResourceCommand({ Resource, Tags: { [retiredTag]: new Date(newest).toISOString() } }));
  return newest;
}

/** Removes the versions that were not the newest when one of the kept deployments was made, and are not now. */
async function removeVersions(client: LambdaClient, FunctionName: string, made: readonly Date[]): Promise<number> {
  const versions: { number: number; since: number }[] = [];
  for await (const { Versions = [] } of paginateListVersionsByFunction({ client }, { FunctionName })) {
    for (const { Version = "", LastModified = "" } of Versions) {
      // API Gateway tells of whole seconds.
      const since = Math.floor(Date.parse(LastModified) / 1_000) * 1_000;
      if (Version !== "$LATEST") versions.push({ number: Number(Version), since });
    }
  }
  versions.sort((one, other) => other.number - one.number);
  const named = new Set(made.map((at) => versions.find(({ since }) => since <= Number(at))?.number));
  const needless = versions.slice(1).filter(({ number }) => !named.has(number));
  for (const { number } of needless) {
    await client.send(new DeleteFunctionCommand({ FunctionName, Qualifier: String(number) }));
  }
  return needless.length;
}
