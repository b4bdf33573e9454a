import type { Context } from "aws-lambda";
import { sweepReconciliations } from "../../shared/domain/deposits/sweepReconciliations.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current CRBs. */
const reserveMilliseconds = 10_000;

/** Runs on a schedule, every 15 minutes. Reports reconciliation days whose sales have changed. */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const { failures, ...swept } = await sweepReconciliations(serviceTable(), { deadline });
  if (swept.events > 0 || swept.handedOver) log.info("reconciliation days reported", swept);
  if (failures > 0) throw new Error("the reconciliation days of some CRBs could not be reported");
}
