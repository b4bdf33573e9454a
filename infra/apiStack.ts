import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import { LambdaIntegration } from "aws-cdk-lib/aws-apigateway";
import { PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { catalogue } from "../shared/api/catalogue.ts";
import type { Operation } from "../shared/api/operation.ts";
import { pages } from "../shared/api/pages.ts";
import { acknowledge } from "./acknowledge.ts";
import { type Capability, stored } from "./capabilities.ts";
import type { DeployedStage } from "./deployedStage.ts";
import type { FunctionSize } from "./functionSizes.ts";
import { Gateway } from "./gateway.ts";
import { objectReason, type ServiceResources } from "./policy.ts";
import { ServiceFunction } from "./serviceFunction.ts";
import { WebAcl } from "./webAcl.ts";

export interface ApiStackProps extends StackProps {
  stage: DeployedStage;
  resources: ServiceResources;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The API: a function for each handler of the catalogue and each page, and the routes that lead to them. */
export class ApiStack extends Stack {
  readonly gateway: Gateway;
  readonly functions: ServiceFunction[] = [];
  readonly #stage: DeployedStage;
  readonly #resources: ServiceResources;

  constructor(scope: Construct, id: string, { stage, resources, ...props }: ApiStackProps) {
    super(scope, id, props);
    this.#stage = stage;
    this.#resources = resources;
    this.gateway = new Gateway(this, "Api", stage);
    for (const operation of catalogue) {
      const { handler, capabilities, routes } = operation;
      const created = this.#createFunction(handler, sizeOf(operation), [...accessChecks(operation), ...capabilities]);
      if (capabilities.includes("documents:sign")) this.#letSignDownloads(created);
      this.#route(created, routes);
    }
    for (const [handler, routes] of Map.groupBy(pages, (page) => page.handler)) {
      this.#route(this.#createFunction(handler, "record", []), routes);
    }
    this.gateway.addPreflights([...catalogue.flatMap(({ routes }) => routes), ...pages]);
    new WebAcl(this, "WebAcl", stage, this.gateway.deploymentStage);
  }

  #createFunction(handler: string, size: FunctionSize, capabilities: readonly Capability[]): ServiceFunction {
    const reserved = size === "page" ? this.#stage.aws.reservedConcurrency.page : undefined;
    const id = (handler.split("/").at(-1) ?? "").replace(/^./, (letter) => letter.toUpperCase());
    const props = { stage: this.#stage, handler, size, capabilities, resources: this.#resources, reserved };
    const created = new ServiceFunction(this, id, props);
    this.functions.push(created);
    return created;
  }

  #route(target: ServiceFunction, routes: readonly { method: Method; path: string }[]): void {
    const integration = new LambdaIntegration(target, { scopePermissionToMethod: false });
    for (const { method, path } of routes) {
      const resource = this.gateway.root.resourceForPath(path);
      resource.addMethod(method, integration);
      if (method === "GET") resource.addMethod("HEAD", integration);
    }
  }

  /**
   * A download link lives as long as the credentials that signed it, and shows whose they are: so each is signed by a
   * session of its own, of a role that can do nothing but read documents.
   */
  #letSignDownloads(signer: ServiceFunction): void {
    const { documents } = this.#resources;
    const reader = new Role(this, "DocumentReader", {
      description: "Reads the one document that a download link is for",
      assumedBy: signer.ownRole,
      maxSessionDuration: Duration.hours(1),
    });
    reader.addToPolicy(
      new PolicyStatement({ actions: ["s3:GetObject"], resources: [documents.arnForObjects(stored)] }),
    );
    if (documents.encryptionKey) {
      reader.addToPolicy(
        new PolicyStatement({ actions: ["kms:Decrypt"], resources: [documents.encryptionKey.keyArn] }),
      );
    }
    acknowledge(reader, Object.fromEntries([objectReason(documents, stored)]));
    reader.grantAssumeRole(signer.ownRole);
    signer.addEnvironment("DOCUMENT_READER_ROLE", reader.roleArn);
  }
}

/** What the authorisation of an operation reads: the credential, and the association where the path names a CRB of it. */
function accessChecks({ routes }: Operation): Capability[] {
  if (routes.every(({ caller }) => caller === "anyone")) return [];
  const associated = routes.some(({ caller, path }) => caller === "serviceProvider" && path.includes("{crb_id}"));
  return associated ? ["credentials:check", "associations:check"] : ["credentials:check"];
}

function sizeOf({ query, capabilities }: Operation): FunctionSize {
  if (capabilities.includes("documents:add")) return "document";
  return "limit" in query.shape ? "page" : "record";
}
