import type { Context } from "aws-lambda";
import { sweepStateConnections } from "../../shared/domain/stateSystems/sweepStateConnections.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to store the days of a reading. */
const reserveMilliseconds = 30_000;

/** Runs on a schedule, every 15 minutes. Reads the totals of the licenses whose reading from the state's system is due. */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const { failures, ...swept } = await sweepStateConnections(serviceTable(), { deadline });
  if (swept.crbs > 0) log.info("state days read", swept);
  if (failures > 0) throw new Error("the state days of some CRBs could not be read");
}
