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
