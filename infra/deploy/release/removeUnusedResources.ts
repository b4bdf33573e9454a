import { APIGatewayClient, DeleteDeploymentCommand, paginateGetDeployments } from "@aws-sdk/client-api-gateway";
import {
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  IAMClient,
  NoSuchEntityException,
  paginateListRolePolicies,
} from "@aws-sdk/client-iam";
import {
  DeleteFunctionCommand,
  type FunctionConfiguration,
  LambdaClient,
  ListTagsCommand,
  paginateListVersionsByFunction,
  TagResourceCommand,
} from "@aws-sdk/client-lambda";
import { apiOutputs, apiParameters, none, parseReleases } from "../../constructs/releaseParameters.ts";
import { stackName } from "../../stages/stackName.ts";
import type { StageName } from "../../stages/stages.ts";
import { stageFunctions } from "../deployedFunctions.ts";
import { type DeployedStack, Stacks } from "./stacks.ts";
import { namesInStacks } from "./stageResources.ts";

/**
 * The tag of a function that no stack contains any more. Its value is the time of the last deployment that may name the
 * function.
 */
const retiredTag = "retired";

/** The unused parts of a function. */
interface Unused {
  FunctionName: string;
  /** Whether the whole function is unused. */
  whole: boolean;
  /** Versions that no deployment names. */
  versions: FunctionConfiguration[];
  /** Versions that stay, including `$LATEST`. */
  left: FunctionConfiguration[];
}

/**
 * Removes deployments that the stage cannot roll back to. Also removes the versions and functions that no remaining
 * deployment names, and their roles. CloudFormation retains all these resources, since it does not know which of them a
 * rollback needs. If the API's stack is gone, no deployment remains.
 *
 * The creation times show which version a deployment names. CloudFormation publishes the versions of a release before
 * it creates the deployment. So the deployment names the version that was the newest when the deployment was created.
 *
 * @returns the number of removed resources of each type, as text; undefined if there were none
 * @throws Error when AWS rejects a call; the next run removes the rest
 */
export async function removeUnusedResources(stage: StageName, region: string): Promise<string | undefined> {
  const api = await new Stacks(region).find(stackName(stage, "api"));
  const { removed: deployments, made } = api ? await removeDeployments(region, api) : { removed: 0, made: [] };
  const current = await namesInStacks(stage, region);
  const client = new LambdaClient({ region });
  const found: Unused[] = [];
  for await (const { FunctionName, FunctionArn = "" } of stageFunctions(client, stage)) {
    const whole = !current.has(FunctionName) && (await isForgotten(client, FunctionArn, made));
    found.push(await unusedOf(client, FunctionName, whole, made));
  }
  const used = new Set([...current, ...found.flatMap(({ left }) => left.flatMap(rolesOf))]);
  const unusedRoles = found.flatMap(({ versions }) => versions.flatMap(rolesOf));
  const roles = new Set(unusedRoles).difference(used);
  // Roles are deleted first, while versions still name them. So after an interruption, the next run finds the
  // remaining roles.
  for (const each of roles) await deleteRole(region, each);
  // One call at a time: Lambda accepts only 15 such calls a second.
  for (const { FunctionName, whole, versions } of found) {
    if (whole) await client.send(new DeleteFunctionCommand({ FunctionName }));
    else {
      for (const { Version: Qualifier } of versions)
        await client.send(new DeleteFunctionCommand({ FunctionName, Qualifier }));
    }
  }
  const counts = {
    deployments,
    versions: found.flatMap(({ whole, versions }) => (whole ? [] : versions)).length,
    functions: found.filter(({ whole }) => whole).length,
    roles: roles.size,
  };
  if (Object.values(counts).every((count) => count === 0)) return undefined;
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}

/**
 * Removes the deployments of an API that have no calls and that the stage cannot roll back to.
 *
 * @returns the number of removed deployments, and the creation times of the remaining deployments
 */
async function removeDeployments(region: string, api: DeployedStack): Promise<{ removed: number; made: Date[] }> {
  const releases = parseReleases(api.parameters[apiParameters.former]).map(({ deployment }) => deployment);
  const { outputs, parameters } = api;
  const kept = new Set([
    outputs[apiOutputs.live],
    outputs[apiOutputs.own],
    parameters[apiParameters.canary],
    ...releases,
  ]);
  const restApiId = outputs[apiOutputs.api] ?? "";
  const client = new APIGatewayClient({ region });
  const made: Date[] = [];
  const unused: string[] = [];
  for await (const { items = [] } of paginateGetDeployments({ client }, { restApiId })) {
    for (const { id = "", createdDate = new Date(0) } of items) {
      if (kept.has(id)) made.push(createdDate);
      else unused.push(id);
    }
  }
  kept.delete(none);
  if (made.length === 0) throw new Error(`API Gateway has none of the deployments ${[...kept].join(", ")}.`);
  for (const deploymentId of unused) await client.send(new DeleteDeploymentCommand({ restApiId, deploymentId }));
  return { removed: unused.length, made };
}

/** Deletes a role and its inline policies, the only policies that a stage's roles have. A missing role is no error. */
async function deleteRole(region: string, RoleName: string): Promise<void> {
  const client = new IAMClient({ region });
  try {
    const names: string[] = [];
    for await (const { PolicyNames = [] } of paginateListRolePolicies({ client }, { RoleName }))
      names.push(...PolicyNames);
    for (const PolicyName of names) await client.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
    await client.send(new DeleteRoleCommand({ RoleName }));
  } catch (error) {
    if (!(error instanceof NoSuchEntityException)) throw error;
  }
}

/**
 * Whether a function left the stacks before the oldest of these deployments was created, so that no deployment names
 * the function.
 */
async function isForgotten(client: LambdaClient, arn: string, made: readonly Date[]): Promise<boolean> {
  if (made.length === 0) return true;
  const [oldest, newest] = [Math.min(...made.map(Number)), Math.max(...made.map(Number))];
  return (await retiredSince(client, arn, newest)) <= oldest;
}

/**
 * The time since which no stack contains the function. If the function has no such tag, tags it with the creation time
 * of the newest deployment.
 */
async function retiredSince(client: LambdaClient, Resource: string, newest: number): Promise<number> {
  const { Tags = {} } = await client.send(new ListTagsCommand({ Resource }));
  const since = Tags[retiredTag];
  if (since) return Date.parse(since);
  await client.send(new TagResourceCommand({ Resource, Tags: { [retiredTag]: new Date(newest).toISOString() } }));
  return newest;
}

/**
 * Finds unused versions. A version is in use if it is the newest now, or was the newest when a kept deployment was
 * created. If the function is unused, all its versions are unused.
 */
async function unusedOf(
  client: LambdaClient,
  FunctionName: string,
  whole: boolean,
  made: readonly Date[],
): Promise<Unused> {
  const all: FunctionConfiguration[] = [];
  for await (const { Versions = [] } of paginateListVersionsByFunction({ client }, { FunctionName })) {
    all.push(...Versions);
  }
  if (whole) return { FunctionName, whole, versions: all, left: [] };
  const [latest, published] = [all.filter(isLatest), all.filter((each) => !isLatest(each))];
  published.sort((one, other) => Number(other.Version) - Number(one.Version));
  // API Gateway gives times in whole seconds.
  const since = ({ LastModified = "" }: FunctionConfiguration) => Math.floor(Date.parse(LastModified) / 1_000) * 1_000;
  const named = new Set([published[0], ...made.map((at) => published.find((each) => since(each) <= Number(at)))]);
  const [left, versions] = [published.filter((each) => named.has(each)), published.filter((each) => !named.has(each))];
  return { FunctionName, whole, versions, left: [...latest, ...left] };
}

const isLatest = ({ Version }: FunctionConfiguration): boolean => Version === "$LATEST";

/** The roles of a version: its execution role, and the roles in its environment variables, which it assumes. */
const rolesOf = ({ Role = "", Environment: { Variables = {} } = {} }: FunctionConfiguration): string[] =>
  [Role, ...Object.values(Variables)].flatMap(
    (value) => /^arn:[\w-]+:iam::\d+:role\/(?:.*\/)?(.+)$/.exec(value)?.[1] ?? [],
  );
