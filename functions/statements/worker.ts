import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { serviceAccessLog } from "../../shared/domain/accessLog/serviceAccessLog.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { replicationIntervals } from "../../shared/domain/replication/replicationIntervals.ts";
import { processMessage } from "../../shared/domain/statements/processMessage.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** A run stops reading the access log this long before the function's timeout. This is enough time to store the files. */
const reserveMilliseconds = 80_000;

/**
 * Processes messages of the queue of statements. The response names failed messages, which SQS delivers again. Failed attempts are
 * stored in the statement, and the sweeper queues them again.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const stores = { table: serviceTable(), bucket: serviceBucket(), accessLog: serviceAccessLog() };
  return processBatch(event, (record) =>
    processMessage(stores, record, { deadline, intervals: replicationIntervals() }),
  );
}
