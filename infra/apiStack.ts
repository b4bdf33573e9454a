import { Duration, NestedStack, Stack, type StackProps } from "aws-cdk-lib";
import { PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { Operation } from "../shared/api/operation.ts";
import { pages } from "../shared/pages/pages.ts";
import { acknowledge } from "./acknowledge.ts";
import type { AddedAlarm, Alarms } from "./alarms.ts";
import { apiAlarms } from "./apiAlarms.ts";
import { type Capability, stored, uploaded } from "./capabilities.ts";
import { addDashboard } from "./dashboard.ts";
import type { DeployedStage } from "./deployedStage.ts";
import { sizeOf } from "./functionSizes.ts";
import { Gateway } from "./gateway.ts";
import { addPages } from "./pages.ts";
import { objectReason, type ServiceResources } from "./policy.ts";
import { constructId, ServiceFunction } from "./serviceFunction.ts";
import { WebAcl } from "./webAcl.ts";

export interface ApiStackProps extends StackProps {
  stage: DeployedStage;
  resources: ServiceResources;
  alarms: Alarms;
  operations: readonly Operation[];
}

/** A role by whose sessions links are signed. */
interface LinkRole {
  id: string;
  description: string;
  /** The variable that tells the function of it. */
  variable: string;
  /** What a link does, with objects of which keys, and what of the bucket's key it needs. */
  action: string;
  keys: string;
  keyAction: string;
}

const linkRoles = {
  "documents:sign": {
    id: "DocumentReader",
    description: "Reads the one document that a download link is for",
    variable: "DOCUMENT_READER_ROLE",
    action: "s3:GetObject",
    keys: stored,
    keyAction: "kms:Decrypt",
  },
  "uploads:plan": {
    id: "UploadWriter",
    description: "Stores the one file that an upload link is for",
    variable: "UPLOAD_WRITER_ROLE",
    action: "s3:PutObject",
    keys: uploaded,
    keyAction: "kms:GenerateDataKey",
  },
} as const satisfies Partial<Record<Capability, LinkRole>>;

/**
 * The API: a function for each handler and each page, and the routes that lead to them. The functions of
 * a folder are a stack of their own inside this one, with their roles and logs: one stack would not have room for all.
 * CloudFormation changes them together with the routes, and takes them back together.
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
    for (const operation of operations) {
      const created = this.#createFunction(operation);
      for (const [capability, role] of Object.entries(linkRoles)) {
        if (operation.capabilities.some((each) => each === capability)) this.#letSign(created, role);
      }
      gateway.routeToFunction(created, operation.routes);
    }
    addPages(gateway, stage, (handler) => this.#groupOf(handler), resources.documents);
    gateway.addPreflights([...operations.flatMap(({ routes }) => routes), ...pages]);
    new WebAcl(this, "WebAcl", stage, gateway.deploymentStage);
    alarms.add(this, apiAlarms(stage, gateway));
  }

  /** Adds the dashboard of the stage, with these alarms. It is here since it asks the log of the calls. */
  addDashboard(alarms: readonly AddedAlarm[]): void {
    const { accessLog } = this.#gateway;
    const { table, documents } = this.#resources;
    addDashboard(this, { stage: this.#stage, alarms, api: this.#gateway, accessLog, table, documents });
  }

  /** The stack of the functions in a handler's folder. */
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
    const size = sizeOf(operation);
    return new ServiceFunction(this.#groupOf(handler), constructId(handler), {
      stage: this.#stage,
      handler,
      size,
      access: {
        capabilities: [...accessChecks(operation), ...operation.capabilities],
        resources: this.#resources,
      },
      traced: true,
      reserved: size === "page" ? this.#stage.aws.reservedConcurrency.page : undefined,
    });
  }

  /**
   * A link lives as long as the credentials that signed it, and shows whose they are: so each is signed by a session of
   * its own, of a role that can do nothing but what such links are for.
   */
  #letSign(signer: ServiceFunction, { id, description, variable, action, keys, keyAction }: LinkRole): void {
    const { documents } = this.#resources;
    const role = new Role(signer.stack, id, {
      description,
      assumedBy: signer.ownRole,
      maxSessionDuration: Duration.hours(1),
    });
    role.addToPolicy(new PolicyStatement({ actions: [action], resources: [documents.arnForObjects(keys)] }));
    if (documents.encryptionKey) {
      role.addToPolicy(new PolicyStatement({ actions: [keyAction], resources: [documents.encryptionKey.keyArn] }));
    }
    acknowledge(role, Object.fromEntries([objectReason(documents, keys)]));
    role.grantAssumeRole(signer.ownRole);
    signer.addEnvironment(variable, role.roleArn);
  }
}

/**
 * What the authorisation of an operation needs: the credential, the association where the path names a CRB of it, and the
 * allowance where there is one.
 */
function accessChecks({ routes, allowance }: Operation): Capability[] {
  if (routes.every(({ caller }) => caller === "anyone" || caller === "nobody")) return [];
  const associated = routes.some(({ caller, path }) => caller === "serviceProvider" && path.includes("{crb_id}"));
  return [
    "credentials:check",
    ...(associated ? (["associations:check"] as const) : []),
    ...(allowance ? (["allowance:use"] as const) : []),
  ];
}
