import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";

/**
 * Works off the messages that a function is given by a queue, side by side.
 *
 * @param work throws for a message that is to come again; the others are done
 * @returns what names those to the queue
 */
export const processBatch = (event: SQSEvent, work: (record: SQSRecord) => Promise<void>): Promise<SQSBatchResponse> =>
  // One for each event: a processor keeps the batch it is at.
  processPartialResponse(event, work, new BatchProcessor(EventType.SQS), { throwOnFullBatchFailure: false });
