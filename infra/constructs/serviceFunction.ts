import { join } from "node:path";
import { Aws, Duration, Token } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { accessOf, type FunctionAccess } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { settingsEnvironment } from "../stages/stages.ts";
import { subscribeAccessLog } from "./accessLogDelivery.ts";
import { type FunctionSize, functionSizes, reservedFor } from "./functionSizes.ts";
import { createLogGroup } from "./logGroup.ts";
import { nodeOptions } from "./nodeOptions.ts";
import { ifPaused } from "./paused.ts";
import { suppressNag } from "./suppressNag.ts";

export interface ServiceFunctionProps {
  stage: DeployedStage;
  /** The handler's path below functions/, without `.ts`. */
  handler: string;
  size: FunctionSize;
  /** No access when absent. */
  access?: FunctionAccess;
  /** Whether the function serves an operation, and so writes access log entries. */
  hasAccessLog?: boolean;
}

/** The construct id of a handler's function, or of a folder's stack. */
export const constructId = (handler: string): string =>
  (handler.split("/").at(-1) ?? "").replace(/^./, (letter) => letter.toUpperCase());

/** A Lambda function with all defaults of the service. */
export class ServiceFunction extends LambdaFunction {
  /** The execution role, with only the function's permission sets. */
  readonly ownRole: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { stage, handler, size, access, hasAccessLog } = props;
    const { memory, timeout } = functionSizes[size];
    const { statements, environment, reasons } = access
      ? accessOf(access)
      : { statements: [], environment: {}, reasons: {} };
    const logGroup = createLogGroup(scope, `${id}Log`, stage.aws);
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `Runs functions/${handler}.ts`,
      inlinePolicies: {
        capabilities: new PolicyDocument({ minimize: true, statements: [ownStatement(logGroup), ...statements] }),
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
      environment: { ...settingsEnvironment(stage.name), ...environment, NODE_OPTIONS: nodeOptions(size) },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // The construct would otherwise add permissions of its own to the role.
      role: role.withoutPolicyUpdates(),
      reservedConcurrentExecutions: Token.asNumber(ifPaused(scope, 0, reservedFor(stage.aws, handler) ?? Aws.NO_VALUE)),
    });
    this.ownRole = role;
    if (hasAccessLog) subscribeAccessLog(scope, `${id}AccessSubscription`, logGroup, stage.name);
    suppressNag(role, reasons);
  }
}

/** The permission of every function: to write its own log. */
const ownStatement = (logGroup: ILogGroup): PolicyStatement =>
  new PolicyStatement({
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    // The log group's ARN ends with `:*`, so it includes the log streams.
    resources: [logGroup.logGroupArn],
  });
