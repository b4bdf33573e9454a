import { tableName } from "../../../infra/local/environment.ts";
import { type Assembly, account, type Resource, region, type Stack } from "./template.ts";

/** A deployed resource, and its id in the templates. */
export interface Deployed {
  id: string;
  stack: Stack;
  /** Its properties, with all references resolved. */
  properties: Resource["Properties"];
  /** The result of `Ref`. */
  name: string;
  arn: string;
}

/** Replaces CloudFormation: names resources, and resolves the references of templates. */
export class Deployment {
  readonly directory: string;
  readonly #stacks: readonly Stack[];
  readonly #queues: string;

  /** @param queues base address of the queues */
  constructor({ directory, stacks }: Assembly, queues = "") {
    this.directory = directory;
    this.#stacks = stacks;
    this.#queues = queues;
  }

  /** All resources of a type, such as `AWS::Lambda::Function`, over all stacks. */
  resources(type: string): Deployed[] {
    return this.#stacks.flatMap((stack) =>
      Object.entries(stack.template.Resources)
        .filter(([, resource]) => resource.Type === type)
        .map(([id, { Properties = {} }]) => ({
          id,
          stack,
          properties: this.resolve(stack, Properties) as Resource["Properties"],
          name: this.#name(id, type),
          arn: this.#arn(id, type),
        })),
    );
  }

  /** The value of an output, such as `DocumentsBucket`. */
  output(name: string): string {
    for (const stack of this.#stacks) {
      const output = stack.template.Outputs?.[name];
      if (output) return String(this.resolve(stack, output.Value));
    }
    throw new Error(`no stack has an output ${name}`);
  }

  /**
   * A template's value with its intrinsic functions evaluated.
   *
   * @throws Error for an unsupported function
   */
  resolve(stack: Stack, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.resolve(stack, each));
    if (typeof value !== "object" || value === null) return value;
    const [[name, argument] = ["", undefined], ...more] = Object.entries(value);
    if (more.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) return this.#call(stack, name, argument);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.resolve(stack, each)]));
  }

  #call(stack: Stack, name: string, argument: unknown): unknown {
    switch (name) {
      case "Ref":
        return this.#referred(stack, String(argument));
      case "Fn::GetAtt": {
        const [id = "", attribute = ""] = argument as string[];
        if (attribute.startsWith("Outputs.")) return this.#outputOf(stack, id, attribute.replace("Outputs.", ""));
        return attribute === "Arn" ? this.#arn(id, typeOf(stack, id)) : `${id}.${attribute}`;
      }
      case "Fn::Join": {
        const [separator = "", parts = []] = argument as [string, unknown[]];
        return parts.map((part) => this.resolve(stack, part)).join(separator);
      }
      case "Fn::If": {
        const [condition, held, other] = argument as [string, unknown, unknown];
        const [{ Ref }, expected] = stack.template.Conditions?.[condition]?.["Fn::Equals"] ?? [{ Ref: "" }, ""];
        return this.resolve(stack, this.#parameter(stack, Ref) === expected ? held : other);
      }
      case "Fn::ImportValue":
        return this.#exported(String(argument));
      case "Fn::GetStackOutput": {
        const { StackName, OutputName } = argument as { StackName: string; OutputName: string };
        const owner = this.#stacks.find((each) => each.name === StackName);
        const output = owner?.template.Outputs?.[OutputName];
        if (!owner || !output) throw new Error(`no stack ${StackName} has an output ${OutputName}`);
        return this.resolve(owner, output.Value);
      }
      default:
        throw new Error(`the template has ${name}, which the test stage does not know`);
    }
  }

  /** The result of `Ref`; for a parameter, the value that the outer stack passes. */
  #referred(stack: Stack, id: string): unknown {
    const pseudo = pseudoParameters[id];
    if (pseudo !== undefined) return pseudo;
    const { outer } = stack;
    const given = outer?.stack.template.Resources[outer.id]?.Properties.Parameters?.[id];
    return outer && given !== undefined ? this.resolve(outer.stack, given) : this.#name(id, typeOf(stack, id));
  }

  /** The value of a parameter that the outer stack passes, or its default. */
  #parameter({ template, outer }: Stack, id: string): unknown {
    const given = outer?.stack.template.Resources[outer.id]?.Properties.Parameters?.[id];
    const passed = (given as { Ref?: string } | undefined)?.Ref;
    return outer && passed ? this.#parameter(outer.stack, passed) : (given ?? template.Parameters?.[id]?.Default);
  }

  #outputOf(stack: Stack, id: string, name: string): unknown {
    const inner = this.#stacks.find(({ outer }) => outer?.stack === stack && outer.id === id);
    const output = inner?.template.Outputs?.[name];
    if (!inner || !output) throw new Error(`the stack ${id} has no output ${name}`);
    return this.resolve(inner, output.Value);
  }

  #exported(name: string): unknown {
    for (const stack of this.#stacks) {
      const output = Object.values(stack.template.Outputs ?? {}).find(({ Export }) => Export?.Name === name);
      if (output) return this.resolve(stack, output.Value);
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
      case "AWS::Lambda::Version":
        return this.#versionArn(id);
      default:
        return id;
    }
  }

  /** Every function has one version, which routes call. */
  #versionArn(id: string): string {
    const stack = this.#stacks.find(({ template }) => template.Resources[id]);
    const { Ref: called } = stack?.template.Resources[id]?.Properties.FunctionName ?? {};
    return `${this.#arn(called, "AWS::Lambda::Function")}:1`;
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

const typeOf = ({ template }: Stack, id: string): string => template.Resources[id]?.Type ?? "";
