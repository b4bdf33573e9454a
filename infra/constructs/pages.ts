import { readProjectFile } from "../../shared/platform/readProjectFile.ts";
import { pages } from "../../shared/web/pageRoutes.ts";
import { parseIncidents } from "../../shared/web/status/incidents.ts";
import { statusSources } from "../../shared/web/status/statusFiles.ts";
import type { ServiceResources } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { Gateway } from "./gateway.ts";
import { constructId, ServiceFunction } from "./serviceFunction.ts";

/**
 * Adds the pages (docs/spec.md#methods-and-pages, docs/spec.md#in-app-onboarding) to a stage's gateway. Their
 * functions have no access to resources, except to what a page's `permissionSets` name.
 *
 * @param resources what pages may read; absent on a stage without a table. A browser uploads directly to the bucket of
 * documents, so the function gets only the bucket's name
 */
export function addPages(gateway: Gateway, stage: DeployedStage, resources?: ServiceResources): void {
  // A mistake in the file must stop the deployment, not the page.
  parseIncidents(readProjectFile(statusSources.incidents), stage.name, new Date());
  for (const [handler, routes] of Map.groupBy(pages, (page) => page.handler)) {
    const permissionSets = [...new Set(routes.flatMap(({ permissionSets = [] }) => permissionSets))];
    const page = new ServiceFunction(gateway.folderStack(handler), constructId(handler), {
      stage,
      handler,
      size: "record",
      ...(resources && permissionSets.length > 0 && { access: { permissionSets, resources } }),
    });
    if (resources && routes.some(({ uploads }) => uploads)) {
      page.addEnvironment("DOCUMENTS_BUCKET", resources.documents.bucketName);
    }
    // Only this function names the release: a variable of all functions would make each release change all of them.
    if (routes.some(({ path }) => path === "/status.json")) page.addEnvironment("RELEASE", stage.release);
    gateway.routeToFunction(page, routes);
  }
}
