import { join } from "node:path";
import { Duration } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { PermissionSet } from "../permissions/permissionSets.ts";
import { accessOf, type ServiceResources } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { settingsEnvironment } from "../stages/stages.ts";
import { subscribeAccessLog } from "./accessLogDelivery.ts";
import { type FunctionSize, functionSizes } from "./functionSizes.ts";
import { createLogGroup } from "./logGroup.ts";
import { nodeOptions } from "./nodeOptions.ts";
import { suppressNag } from "./suppressNag.ts";

export interface ServiceFunctionProps {
  stage: DeployedStage;
  /** Its file below functions/, without `.ts`. */
  handler: string;
  size: FunctionSize;
  /** What it may do, and with what; nothing when absent. */
  access?: { permissionSets: readonly PermissionSet[]; resources: ServiceResources };
  /** Whether it serves an operation, so that its log has entries of the access log. */
  hasAccessLog?: boolean;
  /** Whether its calls are traced by X-Ray: where somebody waits for them. */
  traced: boolean;
  /** Instances at most, which also are kept for it; as many as there are when absent. */
  reserved?: number | undefined;
}

/** What the function of a handler, or the stack of a folder, is called among constructs. */
export const constructId = (handler: string): string =>
  (handler.split("/").at(-1) ?? "").replace(/^./, (letter) => letter.toUpperCase());

/** A function of the service: every default that a function has is here. */
export class ServiceFunction extends LambdaFunction {
  /** What it acts as, with no more than its permission sets. */
  readonly ownRole: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { stage, handler, size, access, hasAccessLog, traced, reserved } = props;
    const { memory, timeout } = functionSizes[size];
    const instances = stage.aws.paused ? 0 : reserved;
    const { statements, environment, reasons } = access
      ? accessOf(access.permissionSets, access.resources)
      : { statements: [], environment: {}, reasons: {} };
    const logGroup = createLogGroup(scope, `${id}Log`, stage.aws);
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `Runs functions/${handler}.ts`,
      inlinePolicies: {
        capabilities: new PolicyDocument({ statements: [...ownStatements(logGroup, traced), ...statements] }),
      },
    });
    super(scope, id, {
      description: `functions/${handler}.ts`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(stage.bundles, handler)),
      handler: "index.handler",
      memorySize: memory,
      timeout: Duration.seconds(timeout),
      environment: {
        ...settingsEnvironment(stage.name),
        ...environment,
        NODE_OPTIONS: nodeOptions(size),
      },
      tracing: traced ? Tracing.ACTIVE : Tracing.DISABLED,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Nothing but the permission sets: the construct would add permissions by itself.
      role: role.withoutPolicyUpdates(),
      ...(instances !== undefined && { reservedConcurrentExecutions: instances }),
    });
    this.ownRole = role;
    if (hasAccessLog) subscribeAccessLog(scope, `${id}AccessSubscription`, logGroup, stage.name);
    suppressNag(role, {
      ...(traced && { "AwsSolutions-IAM5[Resource::*]": "X-Ray knows no resources." }),
      ...reasons,
    });
  }
}

/** What every function may do: write its own log, and its traces where it has some. */
function ownStatements(logGroup: ILogGroup, traced: boolean): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      // Ends with `:*`, its streams.
      resources: [logGroup.logGroupArn],
    }),
    // X-Ray knows no resource.
    ...(traced
      ? [new PolicyStatement({ actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], resources: ["*"] })]
      : []),
  ];
}
