import type { Construct } from "constructs";
import { pages } from "../shared/referencePage/pages.ts";
import type { DeployedStage } from "./deployedStage.ts";
import type { Gateway } from "./gateway.ts";
import { constructId, ServiceFunction } from "./serviceFunction.ts";

/**
 * Adds the pages about the API (contract 1) to a stage's gateway: functions that may do nothing but answer.
 *
 * @param scopeOf in which stack the function of a handler is to be
 */
export function addPages(gateway: Gateway, stage: DeployedStage, scopeOf: (handler: string) => Construct): void {
  for (const [handler, routes] of Map.groupBy(pages, (page) => page.handler)) {
    const page = new ServiceFunction(scopeOf(handler), constructId(handler), {
      stage,
      handler,
      size: "record",
      traced: true,
    });
    gateway.routeToFunction(page, routes);
  }
}
