import type { Context } from "aws-lambda";
import { sweepEndpoints } from "../../shared/domain/webhooks/sweepEndpoints.ts";
import { measureSweep, publishMetrics } from "../../shared/domain/webhooks/webhookMetrics.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the endpoints in progress. */
const reserveMilliseconds = 15_000;

/**
 * Runs on a schedule. Requests pending deliveries that no worker is processing, and assigns positions to events that
 * have none yet.
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const swept = await sweepEndpoints(serviceTable(), { deadline });
  log.info("webhooks swept", { ...swept });
  measureSweep(swept);
  publishMetrics();
  if (swept.failures > 0) throw new Error("some webhook endpoints could not be looked after");
}
