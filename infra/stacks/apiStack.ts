import { NestedStack, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Operation } from "../../shared/api/operation.ts";
import { pages } from "../../shared/web/pageRoutes.ts";
import { sizeOf } from "../constructs/functionSizes.ts";
import { Gateway } from "../constructs/gateway.ts";
import { countGrantedRequests } from "../constructs/grantedRequests.ts";
import { grantPresigning } from "../constructs/linkRoles.ts";
import { addPages } from "../constructs/pages.ts";
import { constructId, ServiceFunction } from "../constructs/serviceFunction.ts";
import { WebAcl } from "../constructs/webAcl.ts";
import type { AddedAlarm, Alarms } from "../monitoring/alarms.ts";
import { apiAlarms } from "../monitoring/apiAlarms.ts";
import { addDashboard } from "../monitoring/dashboard.ts";
import { accessChecks } from "../permissions/accessChecks.ts";
import type { ServiceResources } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";

export interface ApiStackProps extends StackProps {
  stage: DeployedStage;
  resources: ServiceResources;
  alarms: Alarms;
  operations: readonly Operation[];
}

/**
 * The API: a function for each handler and each page, and their routes. The functions of each folder are in a nested
 * stack, with their roles and logs, since one stack cannot hold all functions. CloudFormation updates and rolls back
 * the nested stacks together with the routes.
 */
export class ApiStack extends Stack {
  readonly #gateway: Gateway;
  readonly #stage: DeployedStage;
  readonly #resources: ServiceResources;
  readonly #groups = new Map<string, NestedStack>();

  constructor(scope: Construct, id: string, { stage, resources, alarms, operations, ...props }: ApiStackProps) {
    super(scope, id, props);
    this.#stage = stage;
    this.#resources = resources;
    const gateway = new Gateway(this, "Api", stage);
    this.#gateway = gateway;
    countGrantedRequests(this, gateway.accessLog, stage);
    for (const operation of operations) {
      const created = this.#createFunction(operation);
      grantPresigning(created, operation.permissionSets, resources.documents);
      gateway.routeToFunction(created, operation.routes);
    }
    addPages(gateway, stage, (handler) => this.#groupOf(handler), resources);
    gateway.addPreflights([...operations.flatMap(({ routes }) => routes), ...pages]);
    new WebAcl(this, "WebAcl", stage, gateway.deploymentStage);
    alarms.add(this, apiAlarms(stage, gateway));
  }

  /**
   * Adds the stage's dashboard with these alarms. The dashboard is in this stack because it queries the API's access
   * log.
   */
  addDashboard(alarms: readonly AddedAlarm[]): void {
    const { accessLog } = this.#gateway;
    const { table, documents } = this.#resources;
    addDashboard(this, { stage: this.#stage, alarms, api: this.#gateway, accessLog, table, documents });
  }

  /** The nested stack for the functions of a handler's folder. */
  #groupOf(handler: string): NestedStack {
    const [folder = ""] = handler.split("/");
    const found = this.#groups.get(folder);
    if (found) return found;
    const made = new NestedStack(this, `${constructId(folder)}Functions`, { description: `functions/${folder}` });
    this.#groups.set(folder, made);
    return made;
  }

  #createFunction(operation: Operation): ServiceFunction {
    const { handler } = operation;
    return new ServiceFunction(this.#groupOf(handler), constructId(handler), {
      stage: this.#stage,
      handler,
      size: sizeOf(operation),
      access: {
        permissionSets: [...accessChecks(operation), ...operation.permissionSets],
        resources: this.#resources,
      },
      hasAccessLog: true,
    });
  }
}
