import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { handler as deliver } from "../../../functions/webhooks/deliverer.ts";
import { handler as sweep } from "../../../functions/webhooks/sweeper.ts";
import { sqsEvent } from "../../../infra/local/sqsEvent.ts";
import { eventTypes } from "../../../shared/api/enumerations.ts";
import { typedEvent } from "../../../shared/api/schemas/typedEvent.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import { shardOf } from "../../../shared/store/eventLog/shards.ts";
import { eventsPartition, waitingEventsKey } from "../../../shared/store/keys/events.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { testContext } from "../../requestEvent.ts";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenWebhooks, url } from "./useWebhooks.ts";

useTestSealingKey();
const sent = useQueues();
const table = useTestTable();
useTestBucket();

const closing: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

const context = { ...testContext, getRemainingTimeInMillis: () => 60_000 };

/** A receiver on this machine, and an endpoint with its address. */
async function givenReceiver(status = 200) {
  vi.stubEnv("STAGE", "local");
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(status).end("secret words of the receiver");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const webhooks = await givenWebhooks(table());
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { json } = await webhooks.create({ url: at, event_types: ["crb.updated"] });
  return { ...webhooks, bodies, id: json.id as string };
}

test.each([
  [200, null],
  [500, "status"],
])("a test event is sent at once in one attempt if the receiver responds with %i", async (status, error) => {
  const { id, test: tryIt, deliveries, read, bodies } = await givenReceiver(status);
  const { json, status: answered } = await tryIt(id);
  expect(answered).toBe(200);
  expect(json).toMatchObject({ event_type: "endpoint.test", attempt: 1, status_code: status, error, crb_id: null });
  expect(json.next_attempt_date).toBeNull();
  const [body] = bodies.map((text) => JSON.parse(text));
  expect(body).toMatchObject({ id: json.event_id, type: "endpoint.test", data: { endpoint_id: id } });
  const { json: listed } = await deliveries(id);
  expect(listed).toEqual({ metadata: { total: 1, count: "1 - 1" }, data: [json] });
  expect(JSON.stringify(listed)).not.toContain("secret words");
  expect((await read(id)).json).toMatchObject({ status: "current", last_error: null });
});

test.each(eventTypes)(
  "in the sandbox, a test event of the type %s has the form that the description gives it",
  async (type) => {
    vi.stubEnv("POS_CONNECTORS", "sandbox");
    const { id, test: tryIt, bodies } = await givenReceiver();
    expect((await tryIt(id, { event_type: type })).json).toMatchObject({ event_type: type, error: null });
    const event = JSON.parse(bodies[0] ?? "");
    expect(typedEvent.safeParse(event).error).toBeUndefined();
    expect(event.type).toBe(type);
  },
);

test("on a stage with real businesses, test events have only the type endpoint.test", async () => {
  vi.stubEnv("POS_CONNECTORS", "real");
  const { id, test: tryIt, bodies } = await givenReceiver();
  const { status, json } = await tryIt(id, { event_type: "records.erased" });
  expect([status, Object.keys(json.fields)]).toEqual([422, ["body.event_type"]]);
  expect((await tryIt(id, { event_type: "endpoint.test" })).status).toBe(200);
  expect(bodies).toHaveLength(1);
});

test("deliveries are sent by a queued message or by the sweep, and are listed", async () => {
  const { id, spId, crbId, read, deliveries, bodies } = await givenReceiver();
  const event = { type: "crb.updated", spId, crbId, data: {} } as const;
  await commitWithEvents(table(), { writes: [], events: [event] }, systemClock);
  const shard = shardOf(crbId);
  expect(sent.webhooks).toEqual([{ sp_id: spId, shard }]);
  expect((await read(id)).json).toMatchObject({ status: "delivering", undelivered: 1 });
  const answer = await deliver(sqsEvent("webhooks", JSON.stringify(sent.webhooks[0])), context);
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(bodies).toHaveLength(1);
  expect((await read(id)).json).toMatchObject({ status: "current", undelivered: 0 });
  // An event whose process was killed before it could queue a message.
  const orphan = JSON.stringify({
    id: randomUUID(),
    date: new Date().toISOString(),
    sp_id: spId,
    crb_id: crbId,
    ...event,
  });
  await table().put({ ...waitingEventsKey(eventsPartition(spId, shard), crbId), waiting: [orphan] });
  sent.webhooks = [];
  await sweep({}, context);
  expect(sent.webhooks).toContainEqual({ sp_id: spId, endpoint_id: id, shard });
  await deliver(sqsEvent("webhooks", JSON.stringify(sent.webhooks.at(-1))), context);
  expect(bodies).toHaveLength(2);
  expect((await deliveries(id, { limit: ["1"], offset: ["1"] })).json.metadata).toEqual({ total: 2, count: "2 - 2" });
});

test("an invalid message is delivered again until it is a dead letter", async () => {
  const { batchItemFailures } = await deliver(sqsEvent("webhooks", "{}"), context);
  expect(batchItemFailures).toHaveLength(1);
});

test("a replay returns the endpoint and queues all shards; only an instant of the last 30 days is valid", async () => {
  const { create, replay, deliveries, test: tryIt } = await givenWebhooks(table());
  const { id } = (await create({ url })).json;
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
  sent.webhooks = [];
  expect(await replay(id, { from: ago(60_000) })).toMatchObject({ status: 200, json: { id, status: "delivering" } });
  expect(sent.webhooks).toHaveLength(16);
  for (const from of [ago(31 * 86_400_000), ago(-60_000), "yesterday", undefined]) {
    const { status, json } = await replay(id, { from });
    expect(status).toBe(422);
    expect(Object.keys(json.fields)).toEqual(["body.from"]);
  }
  const nobody = randomUUID();
  for (const { status } of [await replay(nobody, { from: ago(0) }), await deliveries(nobody), await tryIt(nobody)])
    expect(status).toBe(404);
});

test("a credential requests ten replays a minute", async () => {
  const { create, replay } = await givenWebhooks(table());
  const { id } = (await create({ url })).json;
  const now = Math.ceil(Date.now() / 60_000) * 60_000 + 10_000;
  vi.useFakeTimers({ toFake: ["Date"], now });
  const from = new Date(now).toISOString();
  const answers = await Promise.all(Array.from({ length: 11 }, () => replay(id, { from })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429]);
  vi.useRealTimers();
});

test("a credential sends ten tests a minute, to all its endpoints together", async () => {
  const { id, create, test: tryIt, bodies } = await givenReceiver();
  const other = (await create()).json.id as string;
  const minute = Math.ceil(Date.now() / 60_000) * 60_000;
  vi.useFakeTimers({ toFake: ["Date"], now: minute + 10_000 });
  await Promise.all(Array.from({ length: 9 }, () => tryIt(id)));
  const answers = [await tryIt(id), await tryIt(id), await tryIt(other)];
  expect(answers.map(({ status, headers }) => [status, headers?.["Retry-After"]])).toEqual([
    [200, undefined],
    [429, "50"],
    [429, "50"],
  ]);
  expect(answers[1]?.json).toMatchObject({
    code: "rate_limited",
    message: "A credential may call this operation 10 times a minute. Try again after Retry-After.",
  });
  expect(bodies).toHaveLength(10);
  vi.setSystemTime(minute + 60_000);
  expect((await tryIt(id)).status).toBe(200);
  vi.useRealTimers();
});
