import { GetAccountSettingsCommand, GetFunctionConcurrencyCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { reservedInstances } from "../../constructs/functionSizes.ts";
import type { StageName } from "../../stages/stages.ts";
import { stageFunctions } from "../deployedFunctions.ts";
import type { CheckedDeployment } from "../plannedDeployment.ts";

/** Concurrency that AWS keeps unreserved for functions without a reservation. */
const neverReserved = 100;

/** The account's concurrency limit in a region. @throws Error when AWS rejects the call */
export async function accountConcurrency(region: string): Promise<number> {
  return (await readLimit(new LambdaClient({ region }))).limit;
}

/**
 * Reports an account whose concurrency is too low for the stage. Reservations of functions outside the stage are
 * subtracted from the account's limit.
 */
export async function checkConcurrency(planned: CheckedDeployment): Promise<string[]> {
  const { stage, settings, region, paused } = planned;
  const { aws } = settings;
  if (!aws || paused) return [];
  const client = new LambdaClient({ region });
  const reserved = reservedInstances(aws, operationRegistry);
  const needed = Math.max(aws.accountConcurrency, reserved > 0 ? reserved + neverReserved : 0);
  const account = await readLimit(client);
  // If the unreserved concurrency is enough, the stage's present reservations need not be read.
  if (account.limit - account.reserved >= needed) return [];
  const others = account.reserved - (await reservedByStage(client, stage));
  if (account.limit - others >= needed) return [];
  return [
    `Stage ${stage} needs a concurrency of ${needed} in ${region}` +
      `${reserved > 0 ? ` (${reserved} reserved, and ${neverReserved} that AWS keeps unreserved)` : ""}, but the account's ` +
      `limit is ${account.limit}${others > 0 ? `, and ${others} are reserved for other functions` : ""}. Request more from ` +
      "Service Quotas (AWS Lambda, Concurrent executions), or set ...concurrency.small in aws of the stage in " +
      "infra/stages/stages.ts.",
  ];
}

async function readLimit(client: LambdaClient): Promise<{ limit: number; reserved: number }> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = limit } = AccountLimit ?? {};
  return { limit, reserved: limit - unreserved };
}

async function reservedByStage(client: LambdaClient, stage: StageName): Promise<number> {
  let sum = 0;
  for await (const { FunctionName } of stageFunctions(client, stage)) {
    // One call at a time: Lambda accepts only 15 such calls a second.
    const { ReservedConcurrentExecutions = 0 } = await client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    sum += ReservedConcurrentExecutions;
  }
  return sum;
}
