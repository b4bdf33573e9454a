import { LambdaIntegration } from "aws-cdk-lib/aws-apigateway";
import { pages } from "../shared/referencePage/pages.ts";
import type { DeployedStage } from "./deployedStage.ts";
import type { Gateway } from "./gateway.ts";
import { functionId, ServiceFunction } from "./serviceFunction.ts";

/** Adds the pages about the API (contract 1) to a stage's gateway: functions that may do nothing but answer. */
export function addPages(gateway: Gateway, stage: DeployedStage): void {
  for (const [handler, routes] of Map.groupBy(pages, (page) => page.handler)) {
    const page = new ServiceFunction(gateway.stack, functionId(handler), { stage, handler, size: "record" });
    gateway.route(new LambdaIntegration(page, { scopePermissionToMethod: false }), routes);
  }
}
