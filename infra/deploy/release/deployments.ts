import { APIGatewayClient, DeleteDeploymentCommand, paginateGetDeployments } from "@aws-sdk/client-api-gateway";
import { apiOutputs, apiParameters, none, parseReleases } from "../../constructs/releaseParameters.ts";
import type { DeployedStack } from "./stacks.ts";

/**
 * Removes the deployments of an API that have no calls and that the stage cannot roll back to.
 *
 * @param api the API's stack
 * @returns the number of removed deployments, and the creation times of the remaining deployments
 */
export async function removeDeployments(
  region: string,
  api: DeployedStack,
): Promise<{ removed: number; made: Date[] }> {
  const { live, own, api: id } = apiOutputs;
  const { canary, former } = apiParameters;
  const releases = parseReleases(api.parameters[former]).map(({ deployment }) => deployment);
  const kept = new Set([api.outputs[live], api.outputs[own], api.parameters[canary], ...releases]);
  const restApiId = api.outputs[id] ?? "";
  const client = new APIGatewayClient({ region });
  try {
    const made: Date[] = [];
    const unused: string[] = [];
    for await (const { items = [] } of paginateGetDeployments({ client }, { restApiId })) {
      for (const { id: deploymentId = "", createdDate = new Date(0) } of items) {
        if (kept.has(deploymentId)) made.push(createdDate);
        else unused.push(deploymentId);
      }
    }
    kept.delete(none);
    if (made.length === 0) throw new Error(`API Gateway has none of the deployments ${[...kept].join(", ")}.`);
    for (const deploymentId of unused) await client.send(new DeleteDeploymentCommand({ restApiId, deploymentId }));
    return { removed: unused.length, made };
  } finally {
    client.destroy();
  }
}
