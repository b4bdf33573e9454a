import { GetAccountSettingsCommand, GetFunctionConcurrencyCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { reservedInstances } from "../../constructs/functionSizes.ts";
import type { StageName } from "../../stages/stages.ts";
import { stageFunctions } from "../deployedFunctions.ts";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/** Instances that AWS lets nobody reserve, so that functions without a reservation can run. */
const neverReserved = 100;

/** How many functions the account may run at once in a region. @throws Error when AWS does not tell */
export const accountConcurrency = (region: string): Promise<number> =>
  withClient(region, async (client) => (await readLimit(client)).limit);

/** Why the account has too little concurrency for the stage, with what is reserved for functions of others. */
export const checkConcurrency = ({ name, settings: { aws }, region }: PlannedDeployment): Promise<string[]> =>
  withClient(region, async (client) => {
    if (!aws) return [];
    const reserved = reservedInstances(aws, operationRegistry);
    const needed = Math.max(aws.accountConcurrency, reserved > 0 ? reserved + neverReserved : 0);
    const account = await readLimit(client);
    // What the stage has itself need not be asked for where there is enough anyway.
    if (account.limit - account.reserved >= needed) return [];
    const others = account.reserved - (await reservedByStage(client, name));
    if (account.limit - others >= needed) return [];
    return [
      `The account may run ${account.limit} functions at once in ${region}` +
        `${others > 0 ? `, of which ${others} are reserved for functions of others,` : ","} and this stage needs ${needed}` +
        `${reserved > 0 ? ` (${reserved} reserved, and ${neverReserved} that AWS lets nobody reserve)` : ""}: ask Service ` +
        "Quotas for more (AWS Lambda, Concurrent executions), or lower accountConcurrency and reservedConcurrency in " +
        "infra/stages/stages.ts.",
    ];
  });

async function readLimit(client: LambdaClient): Promise<{ limit: number; reserved: number }> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = limit } = AccountLimit ?? {};
  return { limit, reserved: limit - unreserved };
}

/** What is reserved for functions of the stage as it is deployed. */
async function reservedByStage(client: LambdaClient, stage: StageName): Promise<number> {
  let sum = 0;
  for await (const { FunctionName } of stageFunctions(client, stage)) {
    // One after the other: Lambda takes 15 such calls a second.
    const { ReservedConcurrentExecutions = 0 } = await client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    sum += ReservedConcurrentExecutions;
  }
  return sum;
}

async function withClient<T>(region: string, use: (client: LambdaClient) => Promise<T>): Promise<T> {
  const client = new LambdaClient({ region });
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}
