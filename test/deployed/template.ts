import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import type { StageName } from "../../infra/stages.ts";
import { synthesize } from "../../infra/synthesize.ts";
import { once } from "../once.ts";

/** A CloudFormation template, as far as the test stage looks at it. */
export interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
}

export interface Resource {
  Type: string;
  // Whoever reads a property knows the resource's type; what is none of the kind fails where it is used.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  Properties: Record<string, any>;
}

/** What a deployment of a stage consists of: its templates, and the directory with its functions' folders. */
export interface Assembly {
  directory: string;
  templates: Template[];
}

export const account = "000000000000";
export const region = "us-east-1";

/** The templates of a stage as they are deployed, synthesized once for a whole run. */
export async function synthesized(stage: StageName): Promise<Assembly> {
  const directory = join(inject("temporaryDirectory"), `cdk-${stage}`);
  await once(directory, async (unfinished) => void (await synthesize(stage, unfinished, { account, region })));
  const manifest: { artifacts: Record<string, { type: string; properties?: { templateFile?: string } }> } = JSON.parse(
    readFileSync(join(directory, "manifest.json"), "utf8"),
  );
  const files = Object.values(manifest.artifacts)
    .filter(({ type }) => type === "aws:cloudformation:stack")
    .map(({ properties }) => properties?.templateFile ?? "");
  return { directory, templates: files.map((file) => JSON.parse(readFileSync(join(directory, file), "utf8"))) };
}
