import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { afterEach, expect, test } from "vitest";
import { listen } from "../../../infra/local/listen.ts";
import { type Consumer, createQueueServer } from "../../../infra/local/queueServer.ts";

let stop = () => {};
afterEach(() => stop());

const waits: number[] = [];

async function givenQueue(consumer: Consumer) {
  waits.length = 0;
  const server = createQueueServer({ work: consumer }, async (milliseconds) => void waits.push(milliseconds));
  const endpoint = `http://127.0.0.1:${await listen(server, 0)}`;
  const access = { region: "us-east-1", credentials: { accessKeyId: "local", secretAccessKey: "local" } };
  const client = new SQSClient({ endpoint, ...access });
  stop = () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  };
  return (queue: string, ...messages: (string | { MessageBody: string; DelaySeconds: number })[]) =>
    client.send(
      new SendMessageBatchCommand({
        QueueUrl: `${endpoint}/0/${queue}`,
        Entries: messages.map((message, i) => ({
          Id: String(i),
          ...(typeof message === "string" ? { MessageBody: message } : message),
        })),
      }),
    );
}

test("delivers messages in order, and each again until it succeeds", async () => {
  const received: [string | undefined, string | undefined][] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const send = await givenQueue(async (event: SQSEvent) => {
    const [record] = event.Records;
    received.push([record?.body, record?.attributes.ApproximateReceiveCount]);
    if (record?.body === "two") resolve();
    if (received.length === 1) throw new Error("broken down");
    return { batchItemFailures: received.length === 2 ? [{ itemIdentifier: record?.messageId }] : [] };
  });
  const { Successful } = await send("work", "öne", "two");
  expect(Successful).toHaveLength(2);
  await done;
  expect(received).toEqual([
    ["öne", "1"],
    ["öne", "2"],
    ["öne", "3"],
    ["two", "1"],
  ]);
  expect(waits).toEqual([2_000, 2_000]);
});

test("delivers a delayed message after its delay", async () => {
  const received: (string | undefined)[] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const send = await givenQueue(async (event: SQSEvent) => {
    received.push(event.Records[0]?.body);
    if (received.length === 2) resolve();
    return { batchItemFailures: [] };
  });
  await send("work", { MessageBody: "later", DelaySeconds: 900 }, "now");
  await done;
  expect(received.toSorted()).toEqual(["later", "now"]);
  expect(waits).toEqual([900_000]);
});

test("rejects messages to unknown queues", async () => {
  const send = await givenQueue(async () => undefined);
  await expect(send("other", "x")).rejects.toThrow("no such queue");
  await expect(send("__proto__", "x")).rejects.toThrow("no such queue");
});
