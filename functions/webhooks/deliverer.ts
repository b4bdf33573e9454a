import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { processMessage } from "../../shared/domain/webhooks/processMessage.ts";
import { webhookMessage } from "../../shared/domain/webhooks/webhookMessage.ts";
import { publishMetrics } from "../../shared/domain/webhooks/webhookMetrics.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current attempt and record its result. */
const reserveMilliseconds = 25_000;

/**
 * Processes messages of the webhook queue. The service itself schedules the retries of deliveries that a receiver does
 * not accept. SQS delivers a message again only if it could not be processed at all.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  try {
    return await processBatch(event, ({ body, messageId }) =>
      processMessage(serviceTable(), webhookMessage.parse(JSON.parse(body)), { deadline, messageId }),
    );
  } finally {
    publishMetrics();
  }
}
