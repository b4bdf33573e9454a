import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { afterEach, expect, test } from "vitest";
import { type Consumer, createQueueServer } from "../../../infra/local/queueServer.ts";

let stop = () => {};
afterEach(() => stop());

async function givenQueue(consumer: Consumer) {
  const server = createQueueServer({ work: consumer });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { region: "us-east-1", credentials: { accessKeyId: "local", secretAccessKey: "local" } };
  const client = new SQSClient({ endpoint, ...access });
  stop = () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  };
  return (queue: string, ...bodies: string[]) =>
    client.send(
      new SendMessageBatchCommand({
        QueueUrl: `${endpoint}/0/${queue}`,
        Entries: bodies.map((MessageBody, i) => ({ Id: String(i), MessageBody })),
      }),
    );
}

test("hands messages over in their order, each until it is worked off", async () => {
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
}, 15_000);

test("knows no other queues", async () => {
  const send = await givenQueue(async () => undefined);
  await expect(send("other", "x")).rejects.toThrow("no such queue");
  await expect(send("__proto__", "x")).rejects.toThrow("no such queue");
});
