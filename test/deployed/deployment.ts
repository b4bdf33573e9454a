import { tableName } from "../../infra/local/environment.ts";
import { type Assembly, account, type Resource, region, type Template } from "./template.ts";

/** A resource as it would be after the deployment, and what the templates call it. */
export interface Deployed {
  id: string;
  template: Template;
  /** Its properties, with every reference to other resources resolved. */
  properties: Resource["Properties"];
  /** What `Ref` gives. */
  name: string;
  arn: string;
}

/** Stands in for CloudFormation: gives resources their names, and resolves what templates say of each other. */
export class Deployment {
  readonly directory: string;
  readonly #templates: readonly Template[];
  readonly #queues: string;

  /** @param queues address at which queues are reached */
  constructor({ directory, templates }: Assembly, queues = "") {
    this.directory = directory;
    this.#templates = templates;
    this.#queues = queues;
  }

  /** All resources of a type, such as `AWS::Lambda::Function`, over all stacks. */
  resources(type: string): Deployed[] {
    return this.#templates.flatMap((template) =>
      Object.entries(template.Resources)
        .filter(([, resource]) => resource.Type === type)
        .map(([id, { Properties = {} }]) => ({
          id,
          template,
          properties: this.resolve(template, Properties) as Resource["Properties"],
          name: this.#name(id, type),
          arn: this.#arn(id, type),
        })),
    );
  }

  /** The value of an output, such as `DocumentsBucket`. */
  output(name: string): string {
    for (const template of this.#templates) {
      const output = template.Outputs?.[name];
      if (output) return String(this.resolve(template, output.Value));
    }
    throw new Error(`no stack has an output ${name}`);
  }

  /** A value of a template with its intrinsic functions worked out. @throws Error for one that is not known here */
  resolve(template: Template, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.resolve(template, each));
    if (typeof value !== "object" || value === null) return value;
    const [[name, argument] = ["", undefined], ...more] = Object.entries(value);
    if (more.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) return this.#call(template, name, argument);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.resolve(template, each)]));
  }

  #call(template: Template, name: string, argument: unknown): unknown {
    switch (name) {
      case "Ref":
        return pseudoParameters[String(argument)] ?? this.#name(String(argument), typeOf(template, String(argument)));
      case "Fn::GetAtt": {
        const [id = "", attribute = ""] = argument as string[];
        return attribute === "Arn" ? this.#arn(id, typeOf(template, id)) : `${id}.${attribute}`;
      }
      case "Fn::Join": {
        const [separator = "", parts = []] = argument as [string, unknown[]];
        return parts.map((part) => this.resolve(template, part)).join(separator);
      }
      case "Fn::ImportValue":
        return this.#exported(String(argument));
      default:
        throw new Error(`the template has ${name}, which the test stage does not know`);
    }
  }

  #exported(name: string): unknown {
    for (const template of this.#templates) {
      const output = Object.values(template.Outputs ?? {}).find(({ Export }) => Export?.Name === name);
      if (output) return this.resolve(template, output.Value);
    }
    throw new Error(`no stack exports ${name}`);
  }

  #name(id: string, type: string): string {
    switch (type) {
      case "AWS::DynamoDB::Table":
        return tableName;
      case "AWS::S3::Bucket":
        return id.toLowerCase();
      case "AWS::SQS::Queue":
        return `${this.#queues}/${account}/${id}`;
      case "AWS::SecretsManager::Secret":
        return this.#arn(id, type);
      default:
        return id;
    }
  }

  #arn(id: string, type: string): string {
    if (type === "AWS::S3::Bucket") return `arn:aws:s3:::${this.#name(id, type)}`;
    if (type === "AWS::IAM::Role") return `arn:aws:iam::${account}:role/${id}`;
    const [service, prefix] = arnParts[type] ?? [type, ""];
    const name = type === "AWS::DynamoDB::Table" ? tableName : id;
    return `arn:aws:${service}:${region}:${account}:${prefix}${name}`;
  }
}

const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::Partition": "aws",
  "AWS::Region": region,
  "AWS::AccountId": account,
  "AWS::URLSuffix": "amazonaws.com",
};

const arnParts: Readonly<Record<string, readonly [service: string, prefix: string]>> = {
  "AWS::DynamoDB::Table": ["dynamodb", "table/"],
  "AWS::KMS::Key": ["kms", "key/"],
  "AWS::Lambda::Function": ["lambda", "function:"],
  "AWS::Logs::LogGroup": ["logs", "log-group:"],
  "AWS::SQS::Queue": ["sqs", ""],
  "AWS::SecretsManager::Secret": ["secretsmanager", "secret:"],
};

const typeOf = (template: Template, id: string): string => template.Resources[id]?.Type ?? "";
