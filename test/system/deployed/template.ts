import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { synthesize } from "../../../infra/deploy/synthesize.ts";
import type { StageName } from "../../../infra/stages/stages.ts";
import { makeDirectoryOnce } from "../../makeDirectoryOnce.ts";

/** A CloudFormation template, as far as the test stage looks at it. */
export interface Template {
  Description?: string;
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
}

export interface Resource {
  Type: string;
  // Whoever reads a property knows the resource's type; what is none of the kind fails where it is used.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  Properties: Record<string, any>;
}

/** A stack of a stage. */
export interface Stack {
  /** What it is called; a stack inside another one has no name of its own. */
  name?: string;
  template: Template;
  /** The one that it is inside, and by which of its resources. */
  outer?: { stack: Stack; id: string };
}

/** What a deployment of a stage consists of: its stacks, and the directory with its functions' folders. */
export interface Assembly {
  directory: string;
  stacks: Stack[];
}

export const account = "000000000000";
export const region = "us-east-1";

/** The templates of a stage as they are deployed, synthesized once for a whole run. */
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

/** The stacks inside a stack of a cloud assembly, which tells of their templates as of other files that are uploaded. */
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
