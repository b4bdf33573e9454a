import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { basename } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { sqsEvent } from "./sqsEvent.ts";

/** Works off the messages of a queue: the function behind it. */
export type Consumer = (event: SQSEvent) => Promise<unknown>;

interface SendMessageBatch {
  QueueUrl: string;
  Entries: { Id: string; MessageBody: string; DelaySeconds?: number }[];
}

/** How often a message is handed over, and how long it rests before the next time, in milliseconds. */
const maxReceives = 5;
const rest = 2_000;

/**
 * Stands in for SQS as far as the service uses it: takes batches of messages (SendMessageBatch of the JSON protocol) and
 * hands them to the function behind the queue, those of one batch one after the other, but for those that are to be held
 * back. What fails comes again. Nothing is kept: a stage that starts finds what was left undone by itself.
 *
 * @param consumers by the queue's name, the last part of its URL
 * @param wait passes so many milliseconds
 */
export function createQueueServer(
  consumers: Readonly<Record<string, Consumer>>,
  wait: (milliseconds: number) => Promise<void> = waitUnreferenced,
): Server {
  return createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
    const batch = await batchIn(request);
    const queue = basename(batch?.QueueUrl ?? "");
    const consumer = Object.hasOwn(consumers, queue) ? consumers[queue] : undefined;
    if (!batch || !consumer) {
      answer(400, { __type: "com.amazonaws.sqs#InvalidAddress", message: "The local stage has no such queue." });
      return;
    }
    const messages = batch.Entries.map(({ Id, MessageBody, DelaySeconds = 0 }) => ({
      Id,
      body: MessageBody,
      MessageId: randomUUID(),
      delay: DelaySeconds * 1_000,
    }));
    answer(200, {
      Failed: [],
      Successful: messages.map(({ Id, MessageId, body }) => ({
        Id,
        MessageId,
        MD5OfMessageBody: createHash("md5").update(body).digest("hex"),
      })),
    });
    const deliver = (messageId: string, body: string) => deliverUntilDone(queue, consumer, messageId, body, wait);
    for (const { MessageId, body, delay } of messages) {
      if (delay > 0) void wait(delay).then(() => deliver(MessageId, body));
    }
    for (const { MessageId, body, delay } of messages) if (delay === 0) await deliver(MessageId, body);
  });
}

/** Keeps no process alive: who ends a stage waits for no message. */
async function waitUnreferenced(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false });
}

async function batchIn(request: IncomingMessage): Promise<SendMessageBatch | undefined> {
  if (request.headers["x-amz-target"] !== "AmazonSQS.SendMessageBatch") return undefined;
  return (await json(request).catch(() => undefined)) as SendMessageBatch | undefined;
}

/** What a function logs of a failure is enough; here it only counts that it comes again. */
async function deliverUntilDone(
  queue: string,
  consumer: Consumer,
  messageId: string,
  body: string,
  wait: (milliseconds: number) => Promise<void>,
): Promise<void> {
  for (let received = 1; received <= maxReceives; received++) {
    if (received > 1) await wait(rest);
    const result = await consumer(sqsEvent(queue, body, messageId, received)).catch(() => undefined);
    if ((result as SQSBatchResponse | undefined)?.batchItemFailures.length === 0) return;
  }
}
