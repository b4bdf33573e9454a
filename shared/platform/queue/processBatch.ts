import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";

/**
 * Processes the messages of a queue's batch in parallel.
 *
 * @param work processes one message; throws if SQS must deliver the message again
 * @returns the failed messages, in the response format that SQS expects
 */
export const processBatch = (event: SQSEvent, work: (record: SQSRecord) => Promise<void>): Promise<SQSBatchResponse> =>
  // A processor keeps the state of its batch, so each event gets a new processor.
  processPartialResponse(event, work, new BatchProcessor(EventType.SQS), { throwOnFullBatchFailure: false });
