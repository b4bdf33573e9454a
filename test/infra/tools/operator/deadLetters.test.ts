import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { deadLetterQueues } from "../../../../infra/tools/operator/deadLetters.ts";
import { useAwsOperator } from "./useAwsOperator.ts";

// The command runs against queues that hide received messages, as SQS does.

const operator = useAwsOperator();
const run = (...parameters: string[]) => operator.run("dead-letters", ...parameters);

interface Message {
  id: string;
  body: string;
  sent: number;
  isHidden: boolean;
}

interface Input {
  QueueUrl: string;
  MaxNumberOfMessages: number;
  Entries: { ReceiptHandle: string; VisibilityTimeout: number }[];
}

const queues = new Map<string, Message[]>();
const calls: string[] = [];
/** The call that SQS denies. */
let denied: string | undefined;

const server = createServer(async (request, response) => {
  const name = String(request.headers["x-amz-target"]).replace("AmazonSQS.", "");
  const input = (await json(request)) as Input;
  const queue = input.QueueUrl.split("/").at(-1) ?? "";
  const messages = queues.get(queue) ?? [];
  calls.push(name);
  const answer = (status: number, body: object) =>
    response.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
  if (name === denied) {
    answer(403, { __type: "AccessDenied", message: "No identity-based policy allows the action." });
  } else if (name === "GetQueueAttributes") {
    const Attributes = {
      QueueArn: `arn:aws:sqs:us-west-2:123456789012:${queue}`,
      ApproximateNumberOfMessages: String(messages.filter(({ isHidden }) => !isHidden).length),
      ApproximateNumberOfMessagesNotVisible: String(messages.filter(({ isHidden }) => isHidden).length),
    };
    answer(200, { Attributes });
  } else if (name === "ReceiveMessage") {
    const found = messages.filter(({ isHidden }) => !isHidden).slice(0, input.MaxNumberOfMessages);
    for (const each of found) each.isHidden = true;
    const Messages = found.map(({ id, body, sent }) => ({
      ...{ MessageId: id, ReceiptHandle: id, Body: body },
      MD5OfBody: createHash("md5").update(body).digest("hex"),
      Attributes: { SentTimestamp: String(sent) },
    }));
    answer(200, { Messages });
  } else if (name === "ChangeMessageVisibilityBatch") {
    for (const { ReceiptHandle, VisibilityTimeout } of input.Entries) {
      expect(VisibilityTimeout).toBe(0);
      const message = messages.find(({ id }) => id === ReceiptHandle) ?? expect.fail();
      message.isHidden = false;
    }
    answer(200, { Successful: [], Failed: [] });
  } else answer(400, { __type: "UnsupportedOperation", message: name });
});
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close().closeAllConnections());

beforeEach(() => {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [queue, { variable }] of Object.entries(deadLetterQueues)) {
    queues.set(queue, []);
    vi.stubEnv(variable, `${endpoint}/123456789012/${queue}`);
  }
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", endpoint);
  calls.length = 0;
  denied = undefined;
});

afterEach(() => void vi.unstubAllEnvs());

const add = (queue: string, body: unknown, minutesAgo = 0): string => {
  const id = randomUUID();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  queues.get(queue)?.push({ id, body: text, sent: Date.now() - minutesAgo * 60_000, isHidden: false });
  return id;
};

const visible = (queue: string) => queues.get(queue)?.filter(({ isHidden }) => !isHidden).length;

test("the list has the number of messages of each queue, the age of the oldest, and the ARN for a move", async () => {
  add("replication", { crb_id: randomUUID(), kinds: ["sale"] }, 5);
  add("replication", { crb_id: randomUUID(), kinds: ["sale"] }, 3 * 60);
  const { code, out, err } = await run("list");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const rows = out.trimEnd().split("\n");
  expect(rows).toHaveLength(1 + Object.keys(deadLetterQueues).length);
  expect(rows[1]).toMatch(/^replication +2 +3 h +arn:aws:sqs:us-west-2:123456789012:replication$/);
  expect(rows[2]).toMatch(/^retries +0 +- +arn:/);
  expect(visible("replication")).toBe(2);
});

test("all messages are shown, oldest first, and stay in the queue, where they are visible at once", async () => {
  const ids = Array.from({ length: 25 }, (_, i) => add("exports", { export_id: randomUUID(), version: i }, i));
  const { messages } = JSON.parse((await run("show", "exports", "--json")).out);
  expect(messages.map((each: { message_id: string }) => each.message_id)).toEqual(ids.reverse());
  expect(visible("exports")).toBe(25);
  expect(calls).not.toContain("DeleteMessage");
  expect(JSON.parse((await run("show", "exports", "--json", "--limit", "3")).out).messages).toHaveLength(3);
  expect(visible("exports")).toBe(25);
});

test("ids and kinds of a body are shown, and no other text, which may be personal", async () => {
  const [crb_id, invitation_id] = [randomUUID(), randomUUID()];
  const destination = ["robin@example.com"];
  const mail = { destination, tags: { crb_id: [crb_id], invitation_id: [invitation_id], kinds: ["Robin"] } };
  const bounce = { bounceType: "Permanent", bouncedRecipients: [{ emailAddress: "robin@example.com" }] };
  add("mail-events", { eventType: "Bounce", bounce, mail });
  add("mail-events", "robin@example.com", 1);
  const link_for = "x".repeat(43);
  add("invitations", { link_for, request: randomUUID(), crb_id });
  const { out } = await run("show", "mail-events");
  expect(out).toContain(`eventType=Bounce bounceType=Permanent crb_id=${crb_id} invitation_id=${invitation_id}`);
  expect(out).toContain("problem=the body is not JSON");
  expect(out).not.toMatch(/robin/i);
  const links = await run("show", "invitations");
  expect(links.out).toContain(crb_id);
  expect(links.out).not.toContain(link_for);
  add("replication", { crb_id, kinds: ["sale", "inventory"] });
  expect((await run("show", "replication")).out).toContain(`crb_id=${crb_id} kinds=sale,inventory`);
});

test("the output has the query that finds the last error of the messages", async () => {
  const id = add("webhooks", { sp_id: randomUUID(), shard: 3 });
  const { out } = await run("show", "webhooks");
  expect(out).toContain("on business-data-sandbox-workers-WebhookDelivererLog…:");
  expect(out).toContain(`filter message_id in ["${id}"] and level = "ERROR"`);
  expect((await run("show", "replication")).out).toBe("No dead letters are visible in replication.\n");
});

test.each([
  ["GetQueueAttributes", ["list"]],
  ["ReceiveMessage", ["show", "replication"]],
])("without the permission for %s, the error names it", async (call, parameters) => {
  denied = call;
  const { code, err } = await run(...parameters);
  expect(code).toBe(1);
  expect(err).toMatch(
    new RegExp(`^Cannot read the dead letters of replication: .* needs sqs:${call} on this queue\\.\n$`),
  );
});

test("a queue that the environment does not name, and an unknown one, are rejected", async () => {
  vi.stubEnv("RETRY_DEAD_LETTERS_URL", undefined);
  expect((await run("show", "retries")).err).toBe(
    "Set RETRY_DEAD_LETTERS_URL: npm run stage-env -- --stage sandbox writes it to .deployed/sandbox.env.\n",
  );
  expect((await run("show", "mail")).err).toMatch(
    /^QUEUE must be one of replication, retries, restorations, invitations, /,
  );
  expect((await run("show", "retries", "--limit", "0")).err).toBe("--limit must be an integer from 1 to 1000.\n");
});
