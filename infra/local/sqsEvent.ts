import { randomUUID } from "node:crypto";
import type { SQSEvent } from "aws-lambda";

/** The event with one message, as Lambda's queue poller passes it. */
export function sqsEvent(queue: string, body: string, messageId: string = randomUUID(), received = 1): SQSEvent {
  const now = String(Date.now());
  return {
    Records: [
      {
        messageId,
        receiptHandle: "local",
        body,
        attributes: {
          ApproximateReceiveCount: String(received),
          SentTimestamp: now,
          SenderId: "local",
          ApproximateFirstReceiveTimestamp: now,
        },
        messageAttributes: {},
        md5OfBody: "",
        eventSource: "aws:sqs",
        eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
        awsRegion: "us-east-1",
      },
    ],
  };
}
