import { type StageName, settingsEnvironment } from "./stages.ts";

/** What the stacks of a stage tell, by stack and name, as the CDK writes it. */
export type Outputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * What a deployment made, and the settings of its stage, as the environment variables by which functions and programs
 * know them: the output `TableName` is TABLE_NAME.
 */
export function deployedEnvironment(stage: StageName, region: string, stacks: Outputs): Record<string, string> {
  const outputs = Object.values(stacks).flatMap((stack) => Object.entries(stack));
  // What stacks tell each other, or the next release, is of no interest to anybody else.
  const told = outputs.filter(([name]) => !/^(?:(?:Exports|Publish)Output|Release)|Endpoint[0-9A-F]{8}$/.test(name));
  const named = told.map(([name, value]) => [name.replaceAll(/(?<!^)[A-Z]/g, "_$&").toUpperCase(), value]);
  return { AWS_REGION: region, ...settingsEnvironment(stage), ...Object.fromEntries(named) };
}

/** Variables as a file that a shell reads. */
export const shellFile = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${shellWord(value)}\n`)
    .join("");

/** A text as one word of a shell's command, whatever is in it. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
