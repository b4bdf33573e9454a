import { CfnOutput, type CfnResource, NestedStack, RemovalPolicy, Size, Stack } from "aws-cdk-lib";
import {
  AccessLogFormat,
  AwsIntegration,
  type CfnDeployment,
  type CfnRestApi,
  type CfnStage,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  type Integration,
  type IRestApi,
  LogGroupLogDestination,
  Method,
  MethodLoggingLevel,
  type MethodOptions,
  MockIntegration,
  PassthroughBehavior,
  RestApi,
  SecurityPolicy,
} from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { securityHeaders } from "../../shared/api/securityHeaders.ts";
import { methodsOf, preflightHeaders } from "../../shared/http/cors.ts";
import { pages } from "../../shared/web/pageRoutes.ts";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";
import { originsOf } from "../stages/stages.ts";
import { addGatewayResponses } from "./gatewayResponses.ts";
import { createLogGroup } from "./logGroup.ts";
import { constructId, type ServiceFunction } from "./serviceFunction.ts";
import { suppressNag } from "./suppressNag.ts";
import { directTraffic } from "./traffic.ts";
import { headersForOrigins } from "./velocity.ts";

/** TLS 1.2 or newer. */
const tls = SecurityPolicy.TLS13_1_2_PQ_2025_09;

/** The access log's fields. It omits headers, query and body, which hold credentials and personal data. */
const accessLog = {
  request_id: "$context.requestId",
  // The WAF log identifies calls by this id.
  extended_request_id: "$context.extendedRequestId",
  time: "$context.requestTime",
  method: "$context.httpMethod",
  route: "$context.resourcePath",
  status: "$context.status",
  refusal: "$context.error.responseType",
  duration_ms: "$context.responseLatency",
  function_ms: "$context.integrationLatency",
  bytes: "$context.responseLength",
  waf: "$context.wafResponseCode",
  source: "$context.identity.sourceIp",
};

interface Route {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
}

/** Routes with the path of their handler below functions/, without `.ts`. */
interface HandledRoutes {
  handler: string;
  routes: readonly Route[];
}

/**
 * A stage's REST API with everything that all stages share: errors, logs, limits, TLS, compression, domain name.
 *
 * One stack cannot hold the methods of all routes, nor all functions. Those of each folder of handlers are in a nested
 * stack, which CloudFormation updates and rolls back together with the API.
 */
export class Gateway extends RestApi {
  readonly accessLog: LogGroup;
  readonly #origins: readonly string[];
  readonly #folders = new Map<string, NestedStack>();

  constructor(scope: Construct, id: string, stage: DeployedStage) {
    const { name, aws, settings } = stage;
    const logGroup = createLogGroup(scope, "AccessLog", aws);
    // API Gateway logs a canary's calls to a log group with this suffix. If API Gateway created the group, the logs
    // would never expire.
    if (aws.canary) createLogGroup(scope, "CanaryAccessLog", aws, `${logGroup.logGroupName}/Canary`);
    super(scope, id, {
      restApiName: `business-data-${name}`,
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: aws.domain?.only === true,
      minCompressionSize: Size.bytes(1024),
      cloudWatchRole: true,
      // API Gateway's account settings still name this role after the rollback of a first deployment, so the role must
      // stay.
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      // A rollback needs former deployments. Each release removes the deployments that are too old for a rollback.
      retainDeployments: true,
      deployOptions: {
        stageName: name,
        accessLogDestination: new LogGroupLogDestination(logGroup),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLog)),
        // Execution logs contain headers, and some headers contain credentials.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        // AWS charges for each method's metrics as custom metrics. The access log has the route of each call.
        metricsEnabled: false,
        throttlingRateLimit: aws.throttle.rate,
        throttlingBurstLimit: aws.throttle.burst,
      },
    });
    this.accessLog = logGroup;
    this.#origins = originsOf(settings);
    const api = this.node.defaultChild as CfnRestApi;
    api.securityPolicy = tls;
    api.endpointAccessMode = EndpointAccessMode.STRICT;
    addGatewayResponses(this, this.#origins);
    suppressNag(this, {
      "AwsSolutions-APIG2":
        "The functions validate requests and report every invalid field; the gateway would report only one.",
      "AwsSolutions-APIG6": "Execution logs contain headers and so credentials; the access log has the other facts.",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]":
        "API Gateway accepts only this policy for the account's log role.",
    });
    const deployment = this.latestDeployment?.node.defaultChild as CfnDeployment;
    directTraffic(Stack.of(this), this.deploymentStage.node.defaultChild as CfnStage, deployment, aws);
    this.#nameApi(scope, stage);
  }

  /** The nested stack for the functions and the methods of a handler's folder. */
  folderStack(handler: string): NestedStack {
    const [folder = ""] = handler.split("/");
    const found = this.#folders.get(folder);
    if (found) return found;
    const made = new NestedStack(Stack.of(this), constructId(folder), { description: `functions/${folder}` });
    suppressNag(made, {
      "AwsSolutions-APIG4": "Each function authorizes its requests; it reads the data that its decision needs.",
      "AwsSolutions-COG4":
        "Callers have API keys and access tokens of the service, also persons who sign in at their bank.",
    });
    this.#folders.set(folder, made);
    return made;
  }

  /** Connects routes to an integration, with HEAD for every GET (docs/spec.md#methods-and-pages). */
  route(scope: Construct, integration: Integration, routes: readonly Route[], options: MethodOptions = {}): void {
    for (const { method, path } of routes) {
      for (const each of method === "GET" ? ["GET", "HEAD"] : [method]) {
        this.#addMethod(scope, each, path, integration, options);
      }
    }
  }

  #addMethod(scope: Construct, httpMethod: string, path: string, integration: Integration, options: MethodOptions) {
    const resource = this.root.resourceForPath(path);
    new Method(scope, `${httpMethod} ${path.slice(1)}`, { httpMethod, resource, integration, options });
  }

  /**
   * Connects routes to this release's version of a function, and lets the gateway invoke it. The methods are in
   * the function's stack. Version, permission, function and role stay after later releases, as long as a rollback may
   * need them.
   */
  routeToFunction(called: ServiceFunction, routes: readonly Route[]): void {
    const version = called.currentVersion;
    version.addPermission("Api", {
      principal: new ServicePrincipal("apigateway.amazonaws.com"),
      sourceArn: this.arnForExecuteApi("*", "/*"),
    });
    (version.node.findChild("Api") as CfnResource).applyRemovalPolicy(keep);
    for (const each of [version, called, called.ownRole]) each.applyRemovalPolicy(keep);
    const path = `2015-03-31/functions/${version.functionArn}/invocations`;
    this.route(Stack.of(called), new AwsIntegration({ service: "lambda", proxy: true, path }), routes);
  }

  /** Answers OPTIONS on every path of these operations, and of the pages (docs/spec.md#methods-and-pages). */
  addPreflights(operations: readonly HandledRoutes[]): void {
    const routes = operations.flatMap(({ handler, routes }) => routes.map((route) => ({ handler, ...route })));
    for (const [path, ofPath] of Map.groupBy([...routes, ...pages], (route) => route.path)) {
      const [{ handler } = { handler: "" }] = ofPath;
      const methods = methodsOf(ofPath);
      const always = {
        "x-request-id": "context.requestId",
        "Cache-Control": "'no-store'",
        ...quoted(securityHeaders),
        ...quoted(preflightHeaders(methods, undefined, this.#origins)),
      };
      const allowed = preflightHeaders(methods, "$origin", this.#origins);
      this.#addMethod(
        this.folderStack(handler),
        "OPTIONS",
        path,
        new MockIntegration({
          passthroughBehavior: PassthroughBehavior.WHEN_NO_TEMPLATES,
          requestTemplates: { "application/json": '{"statusCode":204}' },
          integrationResponses: [
            {
              statusCode: "204",
              responseParameters: Object.fromEntries(
                Object.entries(always).map(([header, value]) => [`method.response.header.${header}`, value]),
              ),
              responseTemplates: { "application/json": headersForOrigins(this.#origins, allowed) },
            },
          ],
        }),
        {
          methodResponses: [
            {
              statusCode: "204",
              responseParameters: Object.fromEntries(
                Object.keys(always).map((header) => [`method.response.header.${header}`, true]),
              ),
            },
          ],
        },
      );
    }
  }

  #nameApi(scope: Construct, { aws: { domain } }: DeployedStage): void {
    if (!domain) {
      new CfnOutput(scope, "BaseUrl", { value: this.url.replace(/\/$/, "") });
      return;
    }
    const name = new DomainName(this, "DomainName", {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: tls,
      endpointAccessMode: EndpointAccessMode.STRICT,
      mapping: this as IRestApi,
    });
    new CfnOutput(scope, "BaseUrl", { value: `https://${domain.name}` });
    new CfnOutput(scope, "DomainAlias", { value: name.domainNameAliasDomainName });
  }
}

export const quoted = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));
