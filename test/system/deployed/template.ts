import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { synthesize } from "../../../infra/deploy/synthesize.ts";
import type { StageName } from "../../../infra/stages/stages.ts";
import { makeDirectoryOnce } from "../../makeDirectoryOnce.ts";

/** The part of a CloudFormation template that the test stage reads. */
export interface Template {
  Description?: string;
  Resources: Record<string, Resource>;
  Parameters?: Record<string, { Default?: string }>;
  /** Each compares a parameter with a text. */
  Conditions?: Record<string, { "Fn::Equals": [{ Ref: string }, string] }>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
}

export interface Resource {
  Type: string;
  // Callers know the resource's type. A wrong property fails where it is used.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  Properties: Record<string, any>;
}

/** A stack of a stage. */
export interface Stack {
  /** Its name; a nested stack has none. */
  name?: string;
  template: Template;
  /** The outer stack, and its resource for this one. */
  outer?: { stack: Stack; id: string };
}

/** The stacks of a deployment, and the directory with its functions' folders. */
export interface Assembly {
  directory: string;
  stacks: Stack[];
}

export const account = "000000000000";
export const region = "us-east-1";

/** The deployed templates of a stage, synthesized once for a whole run. */
export async function synthesized(stage: StageName): Promise<Assembly> {
  const directory = join(inject("temporaryDirectory"), `cdk-${stage}`);
  await makeDirectoryOnce(
    directory,
    async (unfinished) => void (await synthesize(stage, unfinished, { account, region })),
  );
  const manifest: { artifacts: Record<string, Artifact> } = read(directory, "manifest.json");
  const named = Object.values(manifest.artifacts)
    .filter(({ type }) => type === "aws:cloudformation:stack")
    .map(({ properties: { templateFile = "", stackName: name = "" } = {} }) => ({
      name,
      template: read<Template>(directory, templateFile),
    }));
  return { directory, stacks: named.flatMap((stack) => [stack, ...innerStacks(directory, stack)]) };
}

interface Artifact {
  type: string;
  properties?: { templateFile?: string; stackName?: string };
}

const read = <Json>(directory: string, file: string): Json => JSON.parse(readFileSync(join(directory, file), "utf8"));

/** The nested stacks of a stack in a cloud assembly, which lists their templates among other uploaded files. */
export function innerStacks(directory: string, stack: Stack): Stack[] {
  const lists = readdirSync(directory).filter((file) => file.endsWith(".assets.json"));
  const files: Record<string, { source: { path: string } }> = Object.assign(
    {},
    ...lists.map((list) => read<{ files: object }>(directory, list).files),
  );
  return Object.entries(stack.template.Resources)
    .filter(([, { Type }]) => Type === "AWS::CloudFormation::Stack")
    .map(([id, { Properties }]) => {
      const [, hash = ""] = JSON.stringify(Properties.TemplateURL).match(/([0-9a-f]{64})\.json/) ?? [];
      return { template: read<Template>(directory, files[hash]?.source.path ?? ""), outer: { stack, id } };
    });
}
