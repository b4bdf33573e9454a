import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { failureCode } from "../../shared/domain/replication/replicate.ts";
import { readRunFacts, replicateCrb } from "../../shared/domain/replication/replicateCrb.ts";
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

/** Runs all kinds of a message at the same time. If one of them fails, the others still end, and SQS delivers the message again. */
async function work({ messageId: message_id, body }: SQSRecord, deadline: Date): Promise<void> {
  const { kinds, ...message } = await logFailure({ message_id }, () => replicationMessage.parse(JSON.parse(body)));
  const facts = readRunFacts(serviceTable(), message.crb_id);
  const runs = kinds.map((kind) => {
    const request = { ...message, kind };
    return logFailure({ message_id, ...request }, () => run(message_id, request, { deadline, facts }));
  });
  const failed = (await Promise.allSettled(runs)).find(({ status }) => status === "rejected");
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

async function run(
  message_id: string,
  request: Parameters<typeof replicateCrb>[1],
  options: Parameters<typeof replicateCrb>[2],
): Promise<void> {
  const started = performance.now();
  const result = await replicateCrb(serviceTable(), request, options);
  measureResult(result);
  const needsAttention = result.outcome === "failed" || (result.outcome === "finished" && result.unconfirmed);
  log[needsAttention ? "warn" : "info"]("replication", {
    message_id,
    ...request,
    ...result,
    duration_ms: Math.round(performance.now() - started),
  });
}

async function logFailure<T>(facts: Record<string, unknown>, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error("replication failed", { ...facts, code: failureCode(error), error: describeError(error) });
    throw error;
  }
}
