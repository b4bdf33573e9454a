import type { Context } from "aws-lambda";
import { sweepOverviews } from "../../shared/domain/overview/sweepOverviews.ts";
import { replicationIntervals } from "../../shared/domain/replication/replicationIntervals.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current CRBs. */
const reserveMilliseconds = 10_000;

/** Runs on a schedule, every 15 minutes. Computes the rows of all overviews. */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const { rows, written, failures } = await sweepOverviews(serviceTable(), replicationIntervals(), { deadline });
  if (written > 0) log.info("overviews computed", { rows, written });
  if (failures > 0) throw new Error("the overview rows of some CRBs could not be computed");
}
