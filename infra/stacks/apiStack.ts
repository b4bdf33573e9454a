import { Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Operation } from "../../shared/api/operation.ts";
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

/** The API: a function for each handler and each page, with its role and its log, and their routes. */
export class ApiStack extends Stack {
  readonly #gateway: Gateway;
  readonly #stage: DeployedStage;
  readonly #resources: ServiceResources;

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
    addPages(gateway, stage, resources);
    gateway.addPreflights(operations);
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

  #createFunction(operation: Operation): ServiceFunction {
    const { handler } = operation;
    return new ServiceFunction(this.#gateway.folderStack(handler), constructId(handler), {
      stage: this.#stage,
      handler,
      size: sizeOf(operation),
      access: { permissionSets: [...accessChecks(operation), ...operation.permissionSets], resources: this.#resources },
      hasAccessLog: true,
    });
  }
}
