import { type FunctionConfiguration, type LambdaClient, paginateListFunctions } from "@aws-sdk/client-lambda";
import type { StageName } from "../stages/stages.ts";

/** The deployed functions of a stage. */
export async function* stageFunctions(
  client: LambdaClient,
  stage: StageName,
): AsyncGenerator<FunctionConfiguration & { FunctionName: string }> {
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    for (const { FunctionName, ...configuration } of Functions) {
      if (!FunctionName?.startsWith("business-data-")) continue;
      if (configuration.Environment?.Variables?.STAGE === stage) yield { ...configuration, FunctionName };
    }
  }
}

/** The files of a stage's deployed functions, such as `functions/crbs/getCrb.ts`, by the functions' names. */
export async function describeFunctions(client: LambdaClient, stage: StageName): Promise<Map<string, string>> {
  const descriptions = new Map<string, string>();
  for await (const { FunctionName, Description = "" } of stageFunctions(client, stage)) {
    descriptions.set(FunctionName, Description);
  }
  return descriptions;
}

/** The path of a function's handler below functions/, by its description. */
export const handlerOf = (description: string): string => description.replace(/^functions\/|\.ts$/g, "");

/** Works on all elements, on at most `max` at the same time. */
export async function inParallel<Each>(
  all: readonly Each[],
  max: number,
  work: (each: Each) => Promise<unknown>,
): Promise<void> {
  const pending = all.values();
  await Promise.all(
    Array.from({ length: max }, async () => {
      for (const each of pending) await work(each);
    }),
  );
}
