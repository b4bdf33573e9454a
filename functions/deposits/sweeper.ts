import type { Context } from "aws-lambda";
import { sweepReconciliations } from "../../shared/domain/deposits/sweepReconciliations.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current CRBs. */
const reserveMilliseconds = 10_000;

/** Runs on a schedule, every 15 minutes. Reports reconciliation days whose sales have changed. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const { crbs, events, failures } = await sweepReconciliations(serviceTable(), { deadline });
  if (events > 0) log.info("reconciliation days reported", { crbs, events });
  if (failures > 0) throw new Error("the reconciliation days of some CRBs could not be reported");
}
