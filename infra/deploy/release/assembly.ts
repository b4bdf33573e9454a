import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder with the assembly of a first deployment (`DataStackProps.isNew`), in the assembly of a release. */
export const firstFolder = "first";

interface Artifact {
  type: string;
  properties?: { stackName?: string; stackTemplateAssetObjectUrl?: string };
}

/** The names of the stacks in a cloud assembly; empty if the directory has none. */
export function stacksOf(directory: string): string[] {
  try {
    const artifacts = Object.values(artifactsOf(directory));
    return artifacts.flatMap(({ type, properties }) =>
      type === "aws:cloudformation:stack" && properties?.stackName ? [properties.stackName] : [],
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The location where the CDK puts the template of a stack in an account and region: `bucket/key`. */
export function templateOf(
  directory: string,
  id: string,
  { account, region }: { account: string; region: string },
): string {
  const url = artifactsOf(directory)[id]?.properties?.stackTemplateAssetObjectUrl;
  if (url === undefined) throw new Error(`${directory} has no template of ${id}.`);
  return url
    .replace(/^s3:\/\//, "")
    .replace(/\$\{AWS::AccountId\}/, account)
    .replace(/\$\{AWS::Region\}/, region);
}

const artifactsOf = (directory: string): Record<string, Artifact> =>
  JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")).artifacts;
