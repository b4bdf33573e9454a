import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { processMessage } from "../../shared/domain/webhooks/processMessage.ts";
import { webhookMessage } from "../../shared/domain/webhooks/webhookMessage.ts";
import { publishMetrics } from "../../shared/domain/webhooks/webhookMetrics.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** An attempt that is under way can still be finished in this time, and what came of it be written. */
const reserveMilliseconds = 25_000;

/**
 * Works off messages of the webhook queue. What a receiver is the reason for is tried again by itself; only what cannot be
 * tried comes again by its message.
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
