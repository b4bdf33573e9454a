import { join } from "node:path";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import type { Capability } from "./capabilities.ts";
import type { DeployedStage } from "./deployedStage.ts";
import { type FunctionSize, functionSizes } from "./functionSizes.ts";
import { nodeOptions } from "./nodeOptions.ts";
import { accessOf, reasonsOf, type ServiceResources } from "./policy.ts";
import { settingsEnvironment } from "./stages.ts";

export interface ServiceFunctionProps {
  stage: DeployedStage;
  /** Its file below functions/, without `.ts`. */
  handler: string;
  size: FunctionSize;
  capabilities: readonly Capability[];
  resources: ServiceResources;
  /** Instances at most, which also are kept for it; as many as there are when absent. */
  reserved?: number | undefined;
}

/** A function of the service: every default that a function has is here. */
export class ServiceFunction extends LambdaFunction {
  /** What it acts as, with no more than its capabilities. */
  readonly ownRole: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { stage, handler, size, resources, reserved } = props;
    const { memory, timeout } = functionSizes[size];
    const { statements, environment } = accessOf(props.capabilities, resources);
    const logGroup = new LogGroup(scope, `${id}Log`, {
      logGroupName: `/business-data/${stage.name}/${handler}`,
      retention: stage.aws.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `Runs functions/${handler}.ts`,
      inlinePolicies: {
        capabilities: new PolicyDocument({ statements: [...ownStatements(logGroup), ...statements] }),
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
        NODE_OPTIONS: nodeOptions,
      },
      tracing: Tracing.ACTIVE,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Nothing but the capabilities: the construct would add permissions by itself.
      role: role.withoutPolicyUpdates(),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    });
    this.ownRole = role;
    acknowledge(role, reasonsOf(props.capabilities, resources));
  }
}

/** What every function may do: write its own log, and its traces. */
function ownStatements(logGroup: LogGroup): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      // Ends with `:*`, its streams.
      resources: [logGroup.logGroupArn],
    }),
    // X-Ray knows no resource.
    new PolicyStatement({ actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], resources: ["*"] }),
  ];
}
