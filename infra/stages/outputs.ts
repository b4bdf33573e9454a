import { type StageName, settingsEnvironment } from "./stages.ts";

/** The outputs of a stage's stacks, by stack and name, in the CDK's format. */
export type Outputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns a stage's outputs and settings as the environment variables of its functions and programs. */
export function deployedEnvironment(stage: StageName, region: string, stacks: Outputs): Record<string, string> {
  const outputs = Object.values(stacks).flatMap((stack) => Object.entries(stack));
  // Leaves out outputs that only other stacks or the next release use.
  const shown = outputs.filter(([name]) => !/^(?:(?:Exports|Publish)Output|Release)|Endpoint[0-9A-F]{8}$/.test(name));
  const named = shown.map(([name, value]) => [variableName(name), value]);
  return { AWS_REGION: region, ...settingsEnvironment(stage), ...Object.fromEntries(named) };
}

/** The environment variable of a name in camel case: `TableName` becomes TABLE_NAME. */
export const variableName = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, "_$&").toUpperCase();

/** Formats variables as a file for a shell to source. */
export const shellFile = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${shellWord(value)}\n`)
    .join("");

/** Quotes any text as one word of a shell command. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
