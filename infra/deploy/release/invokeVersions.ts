import { LambdaClient } from "@aws-sdk/client-lambda";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import type { StageName } from "../../stages/stages.ts";
import { stageFunctions } from "../deployedFunctions.ts";
import { invoke, requestWithoutCredential } from "../invoke.ts";
import type { DeployedRoute } from "../listGatewayFunctions.ts";
import { versionsOfApi } from "./stageResources.ts";

const maxInvocations = 5;

/**
 * Invokes once every version that a release has made of the functions of the API, by a request without a credential. A
 * caller of a rare operation would otherwise be the first to run its new code, perhaps long after the release.
 *
 * @throws StageError that names the functions which crash, respond with 5xx, or are not started
 */
export async function invokeVersions(stage: StageName, region: string, { stdout }: Terminal): Promise<void> {
  const client = new LambdaClient({ region });
  try {
    const descriptions = new Map<string, string>();
    for await (const { FunctionName, Description = "" } of stageFunctions(client, stage)) {
      descriptions.set(FunctionName, Description);
    }
    const versions = await versionsOfApi(stage, region);
    const failures: string[] = [];
    const pending = [...versions];
    const work = async () => {
      for (let arn = pending.pop(); arn; arn = pending.pop()) {
        const [name = "", version] = arn.split(":").slice(6);
        const description = descriptions.get(name) ?? name;
        const { failure } = await invoke(client, { name, version, event: eventFor(description) }).catch(
          (error: Error) => ({ failure: `${error.name}: ${error.message}` }),
        );
        if (failure !== undefined) failures.push(`${description} (${failure})`);
      }
    };
    await Promise.all(Array.from({ length: maxInvocations }, work));
    if (failures.length > 0) throw new StageError(`New code fails: ${failures.sort().join(", ")}.`);
    write(stdout, `Invoked all ${versions.length} functions of the API in their new versions: none fails.`);
  } finally {
    client.destroy();
  }
}

/** A request of one of the routes of a function's file; none where no operation or page has that file. */
function eventFor(description: string): object {
  const handler = description.replace(/^functions\/|\.ts$/g, "");
  const routes: readonly DeployedRoute[] = [
    ...operationRegistry.filter((each) => each.handler === handler).flatMap((each) => each.routes),
    ...pages.filter((each) => each.handler === handler),
  ];
  return routes[0] ? requestWithoutCredential(routes[0]) : {};
}
