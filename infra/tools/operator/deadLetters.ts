import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { StageError } from "../../cli/stageError.ts";
import { stackName } from "../../stages/stackName.ts";
import type { StageName } from "../../stages/stages.ts";
import { requireVariable } from "./target.ts";

/** The queues with dead letters: the variable with the address of their dead-letter queue, and the function that failed. */
export const deadLetterQueues = {
  replication: { variable: "REPLICATION_DEAD_LETTERS_URL", worker: "ReplicationWorker" },
  retries: { variable: "RETRY_DEAD_LETTERS_URL", worker: "ReplicationWorker" },
  restorations: { variable: "RESTORATION_DEAD_LETTERS_URL", worker: "RestorationWorker" },
  invitations: { variable: "INVITATION_DEAD_LETTERS_URL", worker: "InvitationSender" },
  "mail-events": { variable: "MAIL_EVENT_DEAD_LETTERS_URL", worker: "InvitationFeedback" },
  webhooks: { variable: "WEBHOOK_DEAD_LETTERS_URL", worker: "WebhookDeliverer" },
  exports: { variable: "EXPORT_DEAD_LETTERS_URL", worker: "ExportWorker" },
  statements: { variable: "STATEMENT_DEAD_LETTERS_URL", worker: "StatementWorker" },
} as const;

export type DeadLetterQueue = keyof typeof deadLetterQueues;

/** A message that its worker failed to process five times. */
export interface DeadLetter {
  message_id: string;
  /** When it was sent to the queue of the worker, ISO 8601 UTC. */
  sent_at: string;
  /** The ids, kinds and times in the body, by their names. */
  body: Readonly<Record<string, string>>;
}

/** The state of a dead-letter queue. */
export interface DeadLetterCount {
  queue: DeadLetterQueue;
  arn: string;
  /** An approximate number. */
  messages: number;
}

/** Seconds for which a received message is hidden from other readers. An interrupted reader leaves it hidden that long. */
const hiddenSeconds = 60;

/** @throws StageError if the environment does not name the queue */
export function deadLettersUrl(stage: StageName, queue: DeadLetterQueue): string {
  if (stage === "local")
    throw new StageError("The local stage keeps no dead letters: name a deployed stage by --stage.");
  return requireVariable(stage, deadLetterQueues[queue].variable);
}

/** Counts the messages of a dead-letter queue. @throws StageError if AWS rejects the call */
export const countDeadLetters = (
  client: SQSClient,
  queue: DeadLetterQueue,
  QueueUrl: string,
): Promise<DeadLetterCount> =>
  permitted("sqs:GetQueueAttributes", queue, async () => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: ["QueueArn", "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
      }),
    );
    const { ApproximateNumberOfMessages: visible = "0", ApproximateNumberOfMessagesNotVisible: hidden = "0" } =
      Attributes;
    return { queue, arn: Attributes.QueueArn ?? "", messages: Number(visible) + Number(hidden) };
  });

/**
 * Reads messages of a dead-letter queue, oldest first, and deletes none. They are hidden meanwhile, so that no message is
 * received twice, and visible again at the end.
 *
 * @param max the reader stops after this number of messages
 */
export async function readDeadLetters(
  client: SQSClient,
  queue: DeadLetterQueue,
  QueueUrl: string,
  max: number,
): Promise<DeadLetter[]> {
  const received = new Map<string, Message>();
  try {
    await permitted("sqs:ReceiveMessage", queue, async () => {
      while (received.size < max) {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: Math.min(10, max - received.size),
            VisibilityTimeout: hiddenSeconds,
            // A wait makes SQS ask all its servers, so an empty answer means an empty queue.
            WaitTimeSeconds: 1,
            MessageSystemAttributeNames: ["SentTimestamp"],
          }),
        );
        if (Messages.length === 0) return;
        for (const message of Messages) received.set(message.MessageId ?? "", message);
      }
    });
  } finally {
    await permitted("sqs:ChangeMessageVisibility", queue, () => release(client, QueueUrl, [...received.values()]));
  }
  return [...received]
    .map(([id, message]) => letterOf(id, message))
    .sort((one, other) => (one.sent_at < other.sent_at ? -1 : 1));
}

async function release(client: SQSClient, QueueUrl: string, messages: readonly Message[]): Promise<void> {
  for (let start = 0; start < messages.length; start += 10) {
    const Entries = messages
      .slice(start, start + 10)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle, VisibilityTimeout: 0 }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
  }
}

const letterOf = (message_id: string, { Attributes, Body = "" }: Message): DeadLetter => ({
  message_id,
  sent_at: new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString(),
  body: factsOf(Body),
});

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The fields of messages that are shown, and their valid values. Any other text may be personal, such as an address. */
const shownFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...Object.fromEntries(
    ["crb_id", "sp_id", "endpoint_id", "export_id", "invitation_id", "statement_id", "report_id", "request"].map(
      (name) => [name, matches(id)],
    ),
  ),
  kinds: (value) => recordKinds.some((kind) => kind === value),
  planned_at: matches(instant),
  full: (value) => value === true,
  shard: Number.isInteger,
  version: Number.isInteger,
  eventType: matches(/^(Bounce|Complaint|Delivery|Send|Reject)$/),
  bounceType: matches(/^(Permanent|Transient|Undetermined)$/),
};

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === "string" && pattern.test(value);
}

/** The ids, kinds and times in the text of a message. Reports of mails have them in nested objects and lists. */
function factsOf(text: string): Record<string, string> {
  const facts = new Map<string, Set<string>>();
  const collect = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const each of value) collect(each, name);
    else if (typeof value === "object" && value !== null)
      for (const [key, part] of Object.entries(value)) collect(part, key);
    else if (Object.hasOwn(shownFields, name) && shownFields[name]?.(value))
      facts.set(name, (facts.get(name) ?? new Set<string>()).add(String(value)));
  };
  try {
    collect(JSON.parse(text), "");
  } catch {
    return { problem: "the body is not JSON" };
  }
  return Object.fromEntries([...facts].map(([name, values]) => [name, [...values].join()]));
}

/** The query of CloudWatch Logs Insights for the errors of messages, and the log groups to run it on. */
export const errorQuery = (stage: StageName, queue: DeadLetterQueue, letters: readonly DeadLetter[]) => ({
  log_groups: `${stackName(stage, "workers")}-${deadLetterQueues[queue].worker}Log…`,
  query: `filter message_id in [${letters.map(({ message_id }) => JSON.stringify(message_id)).join(", ")}] and level = "ERROR" | sort @timestamp desc | display @timestamp, message_id, error`,
});

/** @throws StageError that names the permission if AWS rejects a call */
async function permitted<T>(permission: string, queue: DeadLetterQueue, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { name, message } = error as Error;
    throw new StageError(
      `Cannot read the dead letters of ${queue}: AWS reports ${name}: ${message} The call needs ${permission} on this queue.`,
    );
  }
}
