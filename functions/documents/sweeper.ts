import type { Context } from "aws-lambda";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { sweepRemovals } from "../../shared/domain/documents/removals.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current removals. */
const reserveMilliseconds = 10_000;

/**
 * Runs on a schedule. Removes objects without a record, and completes interrupted removals. If a removal fails, the
 * function still tries all other removals and then fails, so that an alarm reports it. The next run does what this one leaves.
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const swept = await sweepRemovals(serviceTable(), serviceBucket(), new Date(), { deadline });
  if (swept.removed + swept.failed > 0) log.info("objects swept", swept);
  if (swept.failed > 0) throw new Error("not all objects that are due were removed");
}
