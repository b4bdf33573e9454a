import { LambdaClient } from "@aws-sdk/client-lambda";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import type { StageName } from "../../stages/stages.ts";
import { describeFunctions, handlerOf, inParallel } from "../deployedFunctions.ts";
import { invoke, requestWithoutCredential } from "../invoke.ts";
import type { DeployedRoute } from "../listGatewayFunctions.ts";
import { versionsOfApi } from "./stageResources.ts";

const maxInvocations = 5;

/**
 * Invokes every new version of the API's functions once, with a request without a credential. Otherwise the new code of
 * a rarely called operation would first run for a caller, perhaps long after the release.
 *
 * @throws StageError naming the functions that crash, respond with 5xx, or do not start
 */
export async function invokeVersions(stage: StageName, region: string, { stdout }: Terminal): Promise<void> {
  const client = new LambdaClient({ region });
  const descriptions = await describeFunctions(client, stage);
  const versions = await versionsOfApi(stage, region);
  const failures: string[] = [];
  await inParallel(versions, maxInvocations, async (arn) => {
    const [name = "", version] = arn.split(":").slice(6);
    const description = descriptions.get(name) ?? name;
    const { failure } = await invoke(client, { name, version, event: eventFor(description) }).catch((error: Error) => ({
      failure: `${error.name}: ${error.message}`,
    }));
    if (failure !== undefined) failures.push(`${description} (${failure})`);
  });
  if (failures.length > 0) throw new StageError(`Functions of this release fail: ${failures.sort().join(", ")}.`);
  write(stdout, `Invoked the new versions of all ${versions.length} functions of the API: none fails.`);
}

/** A request for a route of a function's handler; an empty event if no operation or page has that handler. */
function eventFor(description: string): object {
  const handler = handlerOf(description);
  const routes: readonly DeployedRoute[] = [
    ...operationRegistry.filter((each) => each.handler === handler).flatMap((each) => each.routes),
    ...pages.filter((each) => each.handler === handler),
  ];
  return routes[0] ? requestWithoutCredential(routes[0]) : {};
}
