import { createServer } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { sendMessages } from "../../../../shared/platform/queue/sendMessages.ts";
import { useServer } from "../../../useServer.ts";

let response: { status: number; body: object };
const url = useServer(
  createServer((_, outgoing) => outgoing.writeHead(response.status).end(JSON.stringify(response.body))),
);
beforeAll(() => {
  const access = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
  Object.assign(process.env, { ...access, AWS_ENDPOINT_URL_SQS: url() });
});

const rejected = (SenderFault: boolean) => ({ Failed: [{ Id: "0", SenderFault, Code: "x" }], Successful: [] });
const outage = { name: "ServiceError", kind: "unavailable" };

test.each([
  ["throttles", 400, { __type: "com.amazonaws.sqs#RequestThrottled" }, outage],
  ["fails", 500, { __type: "InternalFailure" }, outage],
  ["fails for one message", 200, rejected(false), outage],
  ["does not exist", 400, { __type: "com.amazonaws.sqs#QueueDoesNotExist" }, { name: "QueueDoesNotExist" }],
  ["rejects a message", 200, rejected(true), { message: "The queue rejected 1 of 1 messages." }],
])("if the queue %s, the caller gets the reason", async (_, status, body, error) => {
  response = { status, body };
  await expect(sendMessages(`${url()}/0/queue`, [{}])).rejects.toMatchObject(error);
});
