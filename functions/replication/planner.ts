import type { Context } from "aws-lambda";
import { planReplications } from "../../shared/domain/replication/planReplications.ts";
import { replicationIntervals } from "../../shared/domain/replication/replicationIntervals.ts";
import { publishMetrics } from "../../shared/domain/replication/replicationMetrics.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current work. */
const reserveMilliseconds = 10_000;

/** Runs on a schedule. Requests every replication that is due. */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  try {
    log.info("replications", await planReplications(serviceTable(), { intervals: replicationIntervals(), deadline }));
  } finally {
    publishMetrics();
  }
}
