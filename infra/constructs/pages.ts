import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { pages } from "../../shared/web/pageRoutes.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { Gateway } from "./gateway.ts";
import { constructId, ServiceFunction } from "./serviceFunction.ts";

/**
 * Adds the pages (docs/spec.md#methods-and-pages, docs/spec.md#in-app-onboarding) to a stage's gateway, as functions
 * without any access to resources.
 *
 * @param scopeOf returns the stack for a handler's function
 * @param documents the bucket for a page's uploads. The browser sends uploads directly to the bucket, so the function
 * gets only the bucket's name
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
