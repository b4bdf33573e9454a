import type { Queue } from "aws-cdk-lib/aws-sqs";

/** A queue and its dead-letter queue. */
export interface WorkQueue {
  queue: Queue;
  deadLetters: Queue;
}
