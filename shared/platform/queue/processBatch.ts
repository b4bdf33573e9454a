import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { describeError, log } from "../aws/log.ts";

/**
 * Processes the messages of a queue's batch in parallel.
 *
 * @param work processes one message; throws if SQS must deliver the message again
 * @param failed the message in the log with the error of a failed message; when absent, `work` logs its errors
 * @returns the failed messages, in the response format that SQS expects
 */
export const processBatch = (
  event: SQSEvent,
  work: (record: SQSRecord) => Promise<void>,
  failed?: string,
): Promise<SQSBatchResponse> => {
  const logged = async (record: SQSRecord) => {
    try {
      await work(record);
    } catch (error) {
      if (failed) log.error(failed, { message_id: record.messageId, error: describeError(error) });
      throw error;
    }
  };
  // A processor keeps the state of its batch, so each event gets a new processor.
  return processPartialResponse(event, logged, new BatchProcessor(EventType.SQS), { throwOnFullBatchFailure: false });
};
