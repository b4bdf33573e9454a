import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { failureCode } from "../../shared/domain/replication/replicate.ts";
import { replicateCrb } from "../../shared/domain/replication/replicateCrb.ts";
import { replicationMessage } from "../../shared/domain/replication/replicationMessage.ts";
import { measureResult, publishMetrics } from "../../shared/domain/replication/replicationMetrics.ts";
import { describeError, log } from "../../shared/platform/aws/log.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * A run stops this long before the function would be ended, so that its last page can still be written and saved, also
 * where its writer waits for midnight (UTC) to be over.
 */
const reserveMilliseconds = 80_000;

/**
 * Works off messages of the replication queue. A message that failed is named in the answer and comes again by itself;
 * what the POS is the reason for, and a run that the function's time was too short for, is asked for anew instead, since
 * a queue gives up a message that was received too often.
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
