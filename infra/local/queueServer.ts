import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { basename } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { sqsEvent } from "./sqsEvent.ts";

/** The function that processes the messages of a queue. */
export type Consumer = (event: SQSEvent) => Promise<unknown>;

interface SendMessageBatch {
  QueueUrl: string;
  Entries: { Id: string; MessageBody: string; DelaySeconds?: number }[];
}

/** The number of attempts to deliver a message, and the milliseconds between them. */
const maxReceives = 5;
const rest = 2_000;

/**
 * Stands in for the parts of SQS that the service uses. Accepts batches (SendMessageBatch of the JSON protocol) and passes
 * the messages of a batch to the queue's function one after the other, except delayed ones. Delivers a failed message again.
 * Stores nothing: a stage finds unfinished work when it starts.
 *
 * @param consumers by queue name, the last part of the queue's URL
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

/** Waits without keeping the process alive, so that a stage can end before a delayed message is due. */
async function waitUnreferenced(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false });
}

async function batchIn(request: IncomingMessage): Promise<SendMessageBatch | undefined> {
  if (request.headers["x-amz-target"] !== "AmazonSQS.SendMessageBatch") return undefined;
  return (await json(request).catch(() => undefined)) as SendMessageBatch | undefined;
}

/**
 * Delivers a message until the function succeeds, at most `maxReceives` times. Ignores errors, which the function has
 * logged.
 */
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
