import {
  DeleteFunctionCommand,
  type FunctionConfiguration,
  LambdaClient,
  ListTagsCommand,
  paginateListVersionsByFunction,
  TagResourceCommand,
} from "@aws-sdk/client-lambda";
import { stackName } from "../../stages/stackName.ts";
import type { StageName } from "../../stages/stages.ts";
import { stageFunctions } from "../deployedFunctions.ts";
import { deleteRole } from "./deleteRole.ts";
import { removeDeployments } from "./deployments.ts";
import { Stacks } from "./stacks.ts";
import { namesInStacks } from "./stageResources.ts";

/** Since when a function is in no release, as a tag of it. */
const retiredTag = "retired";

/** What is needless of a function. */
interface Needless {
  FunctionName: string;
  /** Whether it is needless itself. */
  whole: boolean;
  /** Versions that no deployment names. */
  versions: FunctionConfiguration[];
  /** Versions that stay, and the latest code. */
  left: FunctionConfiguration[];
}

/**
 * Removes what no deployment names that the stage may go back to: deployments, versions of functions, and functions that
 * releases have removed, with their roles. CloudFormation keeps all of it, since it knows nothing of going back. Of a stage whose
 * API is gone no deployment is left, and nothing that was kept for one.
 *
 * Which version a deployment names is known by time: CloudFormation publishes all of a release before it makes the
 * deployment, so it is the newest one then.
 *
 * @returns what was removed, in words; undefined where there was nothing
 * @throws Error when AWS refuses a call; what is left is removed the next time
 */
export async function removeUnusedResources(stage: StageName, region: string): Promise<string | undefined> {
  using stacks = new Stacks(region);
  const api = await stacks.find(stackName(stage, "api"));
  const { removed: deployments, made } = api ? await removeDeployments(region, api) : { removed: 0, made: [] };
  const current = await namesInStacks(stage, region);
  const client = new LambdaClient({ region });
  try {
    const found: Needless[] = [];
    for await (const { FunctionName, FunctionArn = "" } of stageFunctions(client, stage)) {
      const whole = !current.has(FunctionName) && (await isForgotten(client, FunctionArn, made));
      found.push(await needlessOf(client, FunctionName, whole, made));
    }
    const used = new Set([...current, ...found.flatMap(({ left }) => left.flatMap(rolesOf))]);
    const needless = found.flatMap(({ versions }) => versions.flatMap(rolesOf));
    const roles = new Set(needless).difference(used);
    // While something still names them: a tidying that is cut off knows of them again the next time.
    for (const each of roles) await deleteRole(region, each);
    // One after the other: Lambda takes 15 such calls a second.
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
  } finally {
    client.destroy();
  }
}

/** Whether a function that is in no stack was gone when the oldest of these deployments was made, so that none names it. */
async function isForgotten(client: LambdaClient, arn: string, made: readonly Date[]): Promise<boolean> {
  if (made.length === 0) return true;
  const [oldest, newest] = [Math.min(...made.map(Number)), Math.max(...made.map(Number))];
  return (await retiredSince(client, arn, newest)) <= oldest;
}

/** Since when a function is in no stack: the time of the newest deployment, where nobody has noted it. */
async function retiredSince(client: LambdaClient, Resource: string, newest: number): Promise<number> {
  const { Tags = {} } = await client.send(new ListTagsCommand({ Resource }));
  const since = Tags[retiredTag];
  if (since) return Date.parse(since);
  await client.send(new TagResourceCommand({ Resource, Tags: { [retiredTag]: new Date(newest).toISOString() } }));
  return newest;
}

/** The versions that were not the newest when one of the kept deployments was made, and are not now; all of a needless function. */
async function needlessOf(
  client: LambdaClient,
  FunctionName: string,
  whole: boolean,
  made: readonly Date[],
): Promise<Needless> {
  const all: FunctionConfiguration[] = [];
  for await (const { Versions = [] } of paginateListVersionsByFunction({ client }, { FunctionName })) {
    all.push(...Versions);
  }
  if (whole) return { FunctionName, whole, versions: all, left: [] };
  const [latest, published] = [all.filter(isLatest), all.filter((each) => !isLatest(each))];
  published.sort((one, other) => Number(other.Version) - Number(one.Version));
  // API Gateway tells of whole seconds.
  const since = ({ LastModified = "" }: FunctionConfiguration) => Math.floor(Date.parse(LastModified) / 1_000) * 1_000;
  const named = new Set([published[0], ...made.map((at) => published.find((each) => since(each) <= Number(at)))]);
  const [left, versions] = [published.filter((each) => named.has(each)), published.filter((each) => !named.has(each))];
  return { FunctionName, whole, versions, left: [...latest, ...left] };
}

const isLatest = ({ Version }: FunctionConfiguration): boolean => Version === "$LATEST";

/** The names of the roles of a version: the one that it runs as, and those that it assumes, which its environment names. */
const rolesOf = ({ Role = "", Environment: { Variables = {} } = {} }: FunctionConfiguration): string[] =>
  [Role, ...Object.values(Variables)].flatMap(
    (value) => /^arn:[\w-]+:iam::\d+:role\/(?:.*\/)?(.+)$/.exec(value)?.[1] ?? [],
  );
