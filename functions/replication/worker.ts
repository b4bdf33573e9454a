import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { failureCode } from "../../shared/domain/replication/replicate.ts";
import { replicateCrb } from "../../shared/domain/replication/replicateCrb.ts";
import { replicationMessage } from "../../shared/domain/replication/replicationMessage.ts";
import { measureResult, publishMetrics } from "../../shared/domain/replication/replicationMetrics.ts";
import { describeError, log } from "../../shared/platform/aws/log.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * A run stops this long before the function's timeout. This is enough time to write and save the last page, even if the
 * writer has to wait for midnight (UTC).
 */
const reserveMilliseconds = 80_000;

/**
 * Processes messages of the replication queue. The response names failed messages, which SQS delivers again. POS
 * failures and unfinished runs are sent to the queue as new messages instead, since SQS gives up a message after too
 * many deliveries.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  try {
    return await processBatch(event, (record) => work(record, deadline));
  } finally {
    publishMetrics();
  }
}

async function work(record: SQSRecord, deadline: Date): Promise<void> {
  const started = performance.now();
  const facts: Record<string, unknown> = { message_id: record.messageId };
  try {
    const message = replicationMessage.parse(JSON.parse(record.body));
    Object.assign(facts, message);
    const result = await replicateCrb(serviceTable(), message, { deadline });
    measureResult(result);
    const needsAttention = result.outcome === "failed" || (result.outcome === "finished" && result.unconfirmed);
    log[needsAttention ? "warn" : "info"]("replication", {
      ...facts,
      ...result,
      duration_ms: Math.round(performance.now() - started),
    });
  } catch (error) {
    log.error("replication failed", { ...facts, code: failureCode(error), error: describeError(error) });
    throw error;
  }
}
