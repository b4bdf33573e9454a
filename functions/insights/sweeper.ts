import type { Context } from "aws-lambda";
import { sweepInsights } from "../../shared/domain/insights/sweepInsights.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current transaction. */
const reserveMilliseconds = 10_000;

/** Runs on a schedule. Computes the insights of the CRBs that have new complete sales days. */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const swept = await sweepInsights(serviceTable(), { deadline });
  if (swept.crbs > 0) log.info("insights computed", { ...swept });
  if (swept.failures > 0) throw new Error("the insights of some CRBs could not be computed");
}
