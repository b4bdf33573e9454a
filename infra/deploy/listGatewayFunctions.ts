import { APIGatewayClient, GetExportCommand } from "@aws-sdk/client-api-gateway";
import { apiOutputs } from "../constructs/releaseParameters.ts";
import { stackName } from "../stages/stackName.ts";
import type { StageName } from "../stages/stages.ts";
import { Stacks } from "./release/stacks.ts";

export interface DeployedRoute {
  method: string;
  path: string;
}

/** A function that the gateway calls. */
interface Called {
  name: string;
  /** The version; `$LATEST` if the gateway names none. */
  version?: string | undefined;
  route: DeployedRoute;
}

/** The part of the gateway's OpenAPI description that names the integrations. */
type Paths = Record<string, Record<string, { "x-amazon-apigateway-integration"?: { uri?: string } }>>;

/**
 * Lists the functions that a stage's deployed gateway calls, each once with its version. Functions of former releases,
 * and of a release that gets no calls, are not listed.
 *
 * @throws Error when the stage is not deployed in this region, or AWS rejects a call
 */
export async function listGatewayFunctions(stage: StageName, region: string): Promise<Called[]> {
  const restApiId = (await new Stacks(region).find(stackName(stage, "api")))?.outputs[apiOutputs.api];
  if (!restApiId) throw new Error(`Stage ${stage} has no API in ${region}`);
  // Reads the live deployment, not the API's current configuration.
  const { body } = await new APIGatewayClient({ region }).send(
    new GetExportCommand({
      restApiId,
      stageName: stage,
      exportType: "oas30",
      accepts: "application/json",
      parameters: { extensions: "integrations" },
    }),
  );
  const { paths }: { paths: Paths } = JSON.parse(Buffer.from(body ?? []).toString());
  return calledIn(paths);
}

function calledIn(paths: Paths): Called[] {
  const called = new Map<string, Called>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { "x-amazon-apigateway-integration": integration }] of Object.entries(methods)) {
      const [, name, version] = /:function:([\w-]+)(?::(\w+))?\/invocations$/.exec(integration?.uri ?? "") ?? [];
      if (name === undefined || called.has(`${name}:${version}`)) continue;
      called.set(`${name}:${version}`, { name, version, route: { method: method.toUpperCase(), path } });
    }
  }
  return [...called.values()];
}
