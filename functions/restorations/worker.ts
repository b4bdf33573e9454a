import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { processMessage } from "../../shared/domain/restoration/processMessage.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** A step begins only in the first third of the function's time: a large list needs minutes. */
const stepsShare = 1 / 3;

/**
 * Processes messages of the restoration queue, which `operator -- lists restore` sends. The response names failed messages,
 * which SQS delivers again.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const [now, left] = [Date.now(), context.getRemainingTimeInMillis()];
  const times = { deadline: new Date(now + left * stepsShare), heldUntil: new Date(now + left) };
  return processBatch(event, (record) => processMessage(serviceTable(), record, times));
}
