import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { processMessage } from "../../shared/domain/exports/processMessage.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** A run ends its last file this long before the function's timeout. This is enough time to store the file. */
const reserveMilliseconds = 80_000;

/**
 * Processes messages of the export queue. The response names failed messages, which SQS delivers again. Failed attempts
 * are stored in the export, and the sweeper queues them again, since SQS gives up a message after too many deliveries.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  return processBatch(event, (record) => processMessage(stores, record, deadline));
}
