import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { pages } from "../../shared/web/pageRoutes.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { Gateway } from "./gateway.ts";
import { constructId, ServiceFunction } from "./serviceFunction.ts";

/**
 * Adds the pages (docs/spec.md#methods-and-pages, docs/spec.md#in-app-onboarding) to a stage's gateway: functions that may do nothing but answer.
 *
 * @param scopeOf in which stack the function of a handler is to be
 * @param documents where what a page loads may put files; that is the browser's doing, so the function gets its name alone
 */
export function addPages(
  gateway: Gateway,
  stage: DeployedStage,
  scopeOf: (handler: string) => Construct,
  documents?: Bucket,
): void {
  for (const [handler, routes] of Map.groupBy(pages, (page) => page.handler)) {
    const page = new ServiceFunction(scopeOf(handler), constructId(handler), {
      stage,
      handler,
      size: "record",
      traced: true,
    });
    if (documents && routes.some(({ uploads }) => uploads)) {
      page.addEnvironment("DOCUMENTS_BUCKET", documents.bucketName);
    }
    gateway.routeToFunction(page, routes);
  }
}
