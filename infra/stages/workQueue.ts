import type { Queue } from "aws-cdk-lib/aws-sqs";

/** A queue and its dead-letter queue. */
export interface WorkQueue {
  queue: Queue;
  deadLetters: Queue;
}

/**
 * The queues that functions consume. `one` begins the names of their permissions and variables, such as `webhookQueue` and
 * WEBHOOK_QUEUE_URL. `minutes` is the visibility timeout, which is longer than the timeout of the function: SQS delivers a
 * message again only after the function has ended.
 */
export const workQueues = {
  replication: { id: "Replication", one: "replication", minutes: 16 },
  retries: { id: "Retry", one: "retry", minutes: 16 },
  restorations: { id: "Restorations", one: "restoration", minutes: 16 },
  invitations: { id: "Invitations", one: "invitation", minutes: 6 },
  "mail-events": { id: "MailEvents", one: "mailEvent", minutes: 6 },
  webhooks: { id: "Webhooks", one: "webhook", minutes: 6 },
  exports: { id: "Exports", one: "export", minutes: 16 },
  statements: { id: "Statements", one: "statement", minutes: 16 },
} as const;

export type QueueName = keyof typeof workQueues;
export type WorkQueues = Readonly<Record<QueueName, WorkQueue>>;
