import { afterEach, expect, test } from "vitest";
import { deleteEndpoint } from "../../../../shared/domain/webhooks/deleteEndpoint.ts";
import { readDeliveries } from "../../../../shared/domain/webhooks/deliveryLog.ts";
import { readPositions, readProgress } from "../../../../shared/domain/webhooks/deliveryProgress.ts";
import { readEndpoint } from "../../../../shared/domain/webhooks/endpoint.ts";
import { rotateSecret, updateEndpoint } from "../../../../shared/domain/webhooks/endpointChanges.ts";
import { replayEndpoint } from "../../../../shared/domain/webhooks/replayEndpoint.ts";
import { eventHeadKey, eventKey, eventsPartition } from "../../../../shared/store/keys/events.ts";
import { deliveryKey } from "../../../../shared/store/keys/webhooks.ts";
import { useTestSealingKey } from "../../../testServiceKey.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestKms } from "../../../useTestKms.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { crbOfShard, eventsOf } from "../../store/eventLog/eventsUnderTest.ts";
import { accepted, hung, rejected, WebhooksUnderTest } from "./webhooksUnderTest.ts";

useTestSealingKey();
const kms = useTestKms();
afterEach(() => {
  delete process.env.KMS_KEY_ID;
});
const sent = useQueues();
const table = useTestTable();

const minute = 60_000;
const hour = 60 * minute;
const [firstCrb, secondCrb] = [crbOfShard(3), crbOfShard(3)];

async function attemptsOf({ table, endpoint }: WebhooksUnderTest) {
  const { records } = await readDeliveries(table, endpoint.id, { offset: 0, limit: 1_000 });
  return records.map((text) => JSON.parse(text)).reverse();
}

async function createListening(eventTypes: Parameters<WebhooksUnderTest["listen"]>[0] = []) {
  const one = new WebhooksUnderTest(table());
  await one.listen(eventTypes);
  return one;
}

test("a delivery is requested only if an endpoint exists", async () => {
  const one = new WebhooksUnderTest(table());
  await one.storeEvent("crb.created");
  expect(sent.webhooks).toEqual([]);
  await one.listen();
  await one.storeEvent("crb.updated");
  expect(sent.webhooks).toEqual([{ sp_id: one.spId, shard: 3 }]);
  await deleteEndpoint(one.table, one.spId, one.endpoint.id);
  await one.storeEvent("crb.updated");
  expect(sent.webhooks).toHaveLength(1);
});

test("an endpoint gets each later event once, and its log lists the deliveries", async () => {
  const one = new WebhooksUnderTest(table());
  await one.storeEvent("crb.created");
  await one.listen();
  await one.storeEvent("crb.updated", { number: 1 });
  await one.storeEvent("crb.updated", { number: 2 });
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 2 });
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 0 });
  expect(one.received).toEqual((await eventsOf(one.table, one.spId)).slice(1));
  const [first, second, ...more] = await attemptsOf(one);
  expect(more).toEqual([]);
  expect([first.event_id, second.event_id]).toEqual(one.received.map(({ id }) => id));
  expect(first).toMatchObject({
    attempt: 1,
    status_code: 200,
    error: null,
    next_attempt_date: null,
    crb_id: one.crbId,
  });
  const { date } = second;
  const progress = { status: "current", undelivered: 0, last_delivered_date: date, last_error: null };
  expect(await readProgress(one.table, one.endpoint)).toEqual(progress);
});

test("events of types without a subscription are skipped and not counted", async () => {
  const one = await createListening(["crb.created"]);
  await one.storeEvent("crb.updated");
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(0);
  await one.storeEvent("crb.created");
  await one.storeEvent("crb.updated");
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(1);
  expect((await one.deliver()).delivered).toBe(1);
  expect((await readPositions(one.table, one.endpoint.id))[3]?.seq).toBe(3);
});

test("waiting events of the same kind are merged, unless another event of the business comes between", async () => {
  const one = await createListening();
  const change = (crbId: string, kind: string, cursor_before: string) =>
    one.storeEvent("records.changed", { kind, cursor_before }, crbId);
  await change(firstCrb, "sales", "a");
  await change(secondCrb, "sales", "b");
  await change(firstCrb, "sales", "c");
  await change(firstCrb, "products", "d");
  await change(firstCrb, "sales", "e");
  await one.storeEvent("crb.updated", {}, secondCrb);
  await change(secondCrb, "sales", "f");
  await change(secondCrb, "sales", "g");
  const all = await eventsOf(one.table, one.spId);
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(8);
  expect((await one.deliver()).delivered).toBe(6);
  const shown = one.received.map(({ id, data }) => [all.findIndex((event) => event.id === id), data.cursor_before]);
  expect(shown).toEqual([
    [2, "a"],
    [1, "b"],
    [3, "d"],
    [4, "e"],
    [5, undefined],
    [7, "f"],
  ]);
  expect((await readPositions(one.table, one.endpoint.id))[3]).toMatchObject({ seq: 8, done: [] });
});

test("a failed event is retried after growing pauses for three days, then the endpoint is disabled, with an event", async () => {
  const one = await createListening(["crb.updated"]);
  one.respond = () => rejected;
  await one.storeEvent("crb.updated");
  const began = one.clock.time;
  const pauses: number[] = [];
  for (let result = await one.deliver(); result.outcome !== "disabled"; result = await one.deliver()) {
    expect(result).toMatchObject({ outcome: "failed", failure: { error: "status", attempt: pauses.length + 1 } });
    expect((await one.deliver()).outcome).toBe("waits");
    const next = Date.parse((await attemptsOf(one)).at(-1).next_attempt_date);
    pauses.push(next - one.clock.time);
    expect((await readProgress(one.table, one.endpoint)).status).toBe("failing");
    one.clock.time = next;
  }
  expect(pauses.slice(0, 8)).toEqual([5_000, 30_000, 2 * minute, 10 * minute, 30 * minute, hour, hour, hour]);
  expect(one.clock.time - began).toBeGreaterThanOrEqual(72 * hour);
  expect(one.clock.time - began).toBeLessThan(73.1 * hour);
  expect(sent.delays).toEqual([5_000, 30_000, 120_000, 600_000]);
  const stored = await readEndpoint(one.table, one.spId, one.endpoint.id);
  expect(stored).toMatchObject({ enabled: false, disabled: { reason: "failures" } });
  const events = await eventsOf(one.table, one.spId);
  const disabled = events.filter(({ type }) => type === "endpoint.disabled");
  expect(disabled).toMatchObject([{ crb_id: null, data: { endpoint_id: one.endpoint.id, reason: "failures" } }]);
  expect((await attemptsOf(one)).at(-1).next_attempt_date).toBeNull();
  expect(await readProgress(one.table, stored ?? expect.fail())).toMatchObject({ status: "disabled", undelivered: 1 });
  expect((await one.deliver()).outcome).toBe("disabled");
  // Enabled again, it continues at the same event.
  await updateEndpoint(one.table, one.spId, one.endpoint.id, { enabled: true });
  expect(await one.deliver()).toMatchObject({ outcome: "failed", failure: { attempt: 1 } });
  one.respond = () => accepted;
  one.clock.time += 6_000;
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
});

test("a 410 disables the endpoint at once", async () => {
  const one = await createListening();
  one.respond = () => ({ statusCode: 410, error: "status" });
  await one.storeEvent("crb.updated");
  expect((await one.deliver()).outcome).toBe("disabled");
  const disabled = { enabled: false, disabled: { reason: "gone" } };
  expect(await readEndpoint(one.table, one.spId, one.endpoint.id)).toMatchObject(disabled);
});

test("an endpoint whose URL changes during its last attempt is not disabled, and is tried at once", async () => {
  const one = await createListening();
  one.respond = async () => {
    await updateEndpoint(one.table, one.spId, one.endpoint.id, { url: "https://other.example.com/" });
    return { statusCode: 410, error: "status" };
  };
  await one.storeEvent("crb.updated");
  one.clock.time += 1;
  expect((await one.deliver()).outcome).toBe("failed");
  expect(await readEndpoint(one.table, one.spId, one.endpoint.id)).toMatchObject({ enabled: true, disabled: null });
  const urls: string[] = [];
  one.respond = (_, { url }) => {
    urls.push(url);
    return accepted;
  };
  expect((await one.deliver()).delivered).toBe(1);
  expect(urls).toEqual(["https://other.example.com/"]);
});

test.each(["disabled", "deleted"] as const)("no attempt starts once an endpoint is %s", async (how) => {
  const one = await createListening();
  const { id } = one.endpoint;
  one.respond = async () => {
    if (how === "deleted") await deleteEndpoint(one.table, one.spId, id);
    else await updateEndpoint(one.table, one.spId, id, { enabled: false });
    return accepted;
  };
  await one.storeEvent("crb.updated");
  await one.storeEvent("crb.updated");
  await one.deliver();
  await one.deliver();
  expect(one.received).toHaveLength(1);
  expect(await readPositions(one.table, id)).toHaveLength(how === "deleted" ? 0 : 16);
});

test("of two workers one stops, and the other also delivers events that are stored meanwhile", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated", { number: 1 });
  let second: unknown;
  one.respond = async () => {
    if (!second) {
      await one.storeEvent("crb.updated", { number: 2 });
      second = await one.deliver();
    }
    return accepted;
  };
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 2 });
  expect(second).toEqual({ outcome: "held", delivered: 0 });
  expect(one.received.map(({ data }) => data.number)).toEqual([1, 2]);
});

test("a killed worker delays events for half a minute", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated");
  one.respond = () => {
    throw new Error("killed");
  };
  const release = one.table.update.bind(one.table);
  one.table.update = () => Promise.reject(new Error("killed"));
  await expect(one.deliver()).rejects.toThrow("killed");
  one.table.update = release;
  one.respond = () => accepted;
  one.clock.time += 29_000;
  expect((await one.deliver()).outcome).toBe("held");
  one.clock.time += 1_001;
  expect((await one.deliver()).delivered).toBe(1);
});

test("a worker past its deadline requeues its shard, and starts no attempt", async () => {
  const one = await createListening();
  for (let n = 0; n < 3; n++) await one.storeEvent("crb.updated");
  sent.webhooks = [];
  one.respond = () => {
    one.clock.time += 1_500;
    return accepted;
  };
  const deadline = new Date(one.clock.time + 2_000);
  expect(await one.deliver(3, { deadline })).toEqual({ outcome: "handed over", delivered: 2 });
  expect(sent.webhooks).toEqual([{ sp_id: one.spId, endpoint_id: one.endpoint.id, shard: 3 }]);
  expect((await one.deliver()).delivered).toBe(1);
});

test("a worker whose time slice is over requeues its shard, but not before it has delivered an event", async () => {
  const one = await createListening();
  for (let n = 0; n < 4; n++) await one.storeEvent("crb.updated");
  one.respond = () => {
    one.clock.time += 2_000;
    return accepted;
  };
  sent.webhooks = [];
  expect(await one.deliver()).toEqual({ outcome: "handed over", delivered: 2 });
  expect(sent.webhooks).toEqual([{ sp_id: one.spId, endpoint_id: one.endpoint.id, shard: 3 }]);
  one.respond = () => {
    one.clock.time += 9_000;
    return accepted;
  };
  expect(await one.deliver()).toEqual({ outcome: "handed over", delivered: 1 });
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
});

test("a retry that is due during another shard's attempt is requeued after that", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated");
  await one.storeEvent("crb.updated", {}, crbOfShard(5));
  one.respond = () => rejected;
  await one.deliver();
  one.clock.time += minute;
  sent.webhooks = [];
  sent.delays = [];
  let meanwhile: unknown;
  one.respond = async () => {
    meanwhile = await one.deliver();
    return hung;
  };
  expect((await one.deliver(5)).outcome).toBe("failed");
  expect(meanwhile).toEqual({ outcome: "held", delivered: 0 });
  expect(sent.delays).toContain(15_000);
});

test("a worker whose call for the single attempt succeeded, but whose response was lost, makes the attempt", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated");
  one.respond = () => rejected;
  await one.deliver();
  one.clock.time += minute;
  let calls = 0;
  const { change } = one.table;
  one.table.change = async (...args) => {
    const result = await change.apply(one.table, args);
    // The SDK sends the call again.
    return calls++ === 0 ? change.apply(one.table, args) : result;
  };
  one.respond = () => accepted;
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
});

test("a secret that is rotated or an endpoint that is deleted while secrets are decrypted is not ignored", async () => {
  process.env.KMS_KEY_ID = kms.keyId;
  const one = await createListening();
  for (let n = 0; n < 2; n++) await one.storeEvent("crb.updated");
  const signatures: number[] = [];
  one.respond = (_, { secrets }) => {
    signatures.push(secrets.length);
    return accepted;
  };
  kms.meanwhile = async () => void (await rotateSecret(one.table, one.spId, one.endpoint.id));
  const deadline = new Date(one.clock.time + 1);
  expect(await one.deliver(3, { deadline })).toEqual({ outcome: "handed over", delivered: 1 });
  expect(signatures).toEqual([2]);
  kms.meanwhile = async () => void (await deleteEndpoint(one.table, one.spId, one.endpoint.id));
  expect(await one.deliver()).toEqual({ outcome: "gone", delivered: 0 });
  expect(signatures).toEqual([2]);
});

test("a failing endpoint has one attempt at a time, of any shard, and a success requeues all shards", async () => {
  const one = await createListening();
  const others = [5, 7].map(crbOfShard);
  await one.storeEvent("crb.updated");
  for (const crbId of others) await one.storeEvent("crb.updated", {}, crbId);
  one.respond = () => hung;
  expect((await one.deliver()).outcome).toBe("failed");
  let meanwhile: unknown;
  one.respond = async () => {
    meanwhile = (await one.deliver(7)).outcome;
    return hung;
  };
  expect((await one.deliver(5)).outcome).toBe("failed");
  expect(meanwhile).toBe("held");
  expect(one.received).toHaveLength(2);
  sent.webhooks = [];
  one.respond = () => accepted;
  // An event that the receiver never accepts delays no shard but its own.
  expect(await one.deliver(7)).toEqual({ outcome: "current", delivered: 1 });
  expect(sent.webhooks).toHaveLength(16);
});

test("a replay moves positions back, even of held shards, and skips waiting events, only within 30 days", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated", { number: 1 });
  one.clock.time += hour;
  await one.storeEvent("crb.updated", { number: 2 });
  await one.storeEvent("crb.updated", { number: 3 });
  const replay = (from: number) => replayEndpoint(one.table, one.spId, one.endpoint.id, new Date(from));
  let calls = 0;
  one.respond = async () => {
    if (++calls === 2) await replay(one.clock.time - 2 * hour);
    return accepted;
  };
  expect((await one.deliver()).outcome).toBe("taken over");
  await one.deliver();
  expect(one.received.map(({ data }) => data.number)).toEqual([1, 2, 1, 2, 3]);
  // This includes the attempt during which the replay came.
  expect((await attemptsOf(one)).map(({ event_id }) => event_id)).toEqual(one.received.map(({ id }) => id));
  await replay(one.clock.time - 30 * minute);
  await one.deliver();
  expect(one.received.slice(5).map(({ data }) => data.number)).toEqual([2, 3]);
  one.respond = () => rejected;
  await one.storeEvent("crb.updated", { number: 4 });
  await one.deliver();
  one.clock.time += minute;
  await replay(one.clock.time);
  expect(await readProgress(one.table, one.endpoint)).toMatchObject({ status: "current", undelivered: 0 });
  const { length } = one.received;
  await one.deliver();
  expect(one.received).toHaveLength(length);
  for (const from of [one.clock.time + minute, one.clock.time - 30 * 24 * hour - 1]) {
    await expect(replay(from)).rejects.toMatchObject({ kind: "invalid" });
  }
});

test("a replay from a moment ago skips no later event, even if a worker's clock is behind", async () => {
  const one = await createListening();
  const setTime = (instant: string) => (one.clock.time = Date.parse(instant));
  setTime("2026-03-10T12:00:06.700Z");
  // The clock of the worker that numbers the event is 4 seconds behind.
  await one.storeEvent("crb.updated", { number: 1 });
  setTime("2026-03-10T12:00:11.700Z");
  await replayEndpoint(one.table, one.spId, one.endpoint.id, new Date("2026-03-10T12:00:10.100Z"));
  await one.deliver();
  expect(one.received.map(({ data }) => data.number)).toEqual([1]);
});

test("after a replay has skipped the failed event, the circuit breaker is closed", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated");
  one.respond = () => rejected;
  await one.deliver();
  one.clock.time += minute;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, one.clock.now());
  await one.storeEvent("crb.updated");
  await one.storeEvent("crb.updated", {}, crbOfShard(5));
  let meanwhile: unknown;
  one.respond = async () => {
    meanwhile ??= await one.deliver(5);
    return accepted;
  };
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
  expect(meanwhile).toEqual({ outcome: "current", delivered: 1 });
});

test("a replay delivers each event with its own id, including those that were merged when new", async () => {
  const one = await createListening();
  for (let number = 1; number <= 3; number++) {
    await one.storeEvent("records.changed", { kind: "sales", cursor_before: `cursor ${number}` });
  }
  await one.deliver();
  expect(one.received.map(({ data }) => data.cursor_before)).toEqual(["cursor 1"]);
  one.clock.time += minute;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, new Date(one.clock.time - hour));
  await one.deliver();
  expect(one.received.slice(1).map(({ data }) => data.cursor_before)).toEqual(["cursor 1", "cursor 2", "cursor 3"]);
});

test("a replay from a few seconds ago delivers the events stored since then", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated", { number: 1 });
  await one.deliver();
  one.clock.time += minute;
  const from = new Date(one.clock.time);
  one.clock.time += 2_000;
  await one.storeEvent("crb.updated", { number: 2 });
  one.clock.time += 2_000;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, from);
  await one.deliver();
  expect(one.received.map(({ data }) => data.number)).toEqual([1, 2]);
});

test("failures count per event: if it is not subscribed any more, the next one starts with its first attempt", async () => {
  const one = await createListening();
  await one.storeEvent("crb.updated", { number: 1 });
  one.respond = () => rejected;
  await one.deliver();
  await updateEndpoint(one.table, one.spId, one.endpoint.id, { eventTypes: ["crb.created"] });
  one.clock.time += 4 * 24 * hour;
  await one.storeEvent("crb.created", { number: 2 });
  expect(await one.deliver()).toMatchObject({ outcome: "failed", failure: { attempt: 1 } });
  one.clock.time += hour;
  one.respond = () => accepted;
  expect(await one.deliver()).toMatchObject({ outcome: "current", delivered: 1 });
});

test("expired events are skipped, whether or not they are still stored", async () => {
  const one = await createListening();
  for (let number = 1; number <= 3; number++) await one.storeEvent("crb.updated", { number });
  one.clock.time += 31 * 24 * hour;
  await one.storeEvent("crb.updated", { number: 4 });
  await one.table.delete(eventKey(eventsPartition(one.spId, 3), 1));
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(1);
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
  expect(one.received.map(({ data }) => data.number)).toEqual([4]);
});

test("events that a restore has lost are skipped, and the events around them are delivered", async () => {
  const one = await createListening();
  for (let number = 1; number <= 5; number++) await one.storeEvent("crb.updated", { number });
  for (const place of [1, 3, 5]) await one.table.delete(eventKey(eventsPartition(one.spId, 3), place));
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 2 });
  expect(one.received.map(({ data }) => data.number)).toEqual([2, 4]);
  await one.storeEvent("crb.updated", { number: 6 });
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
});

test("subscribed events are found among many others, and more than 1,000 are counted as 1,000", async () => {
  const one = await createListening();
  const pk = eventsPartition(one.spId, 3);
  const places = Array.from({ length: 1_050 }, (_, i) => i + 1);
  await Promise.all(places.map((place) => one.table.put({ ...eventKey(pk, place), ...eventItem(one, place) })));
  await one.table.put({ ...eventHeadKey(pk), seq: places.length, kept_until: 4e9 });
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(1_000);
  await updateEndpoint(one.table, one.spId, one.endpoint.id, { eventTypes: ["crb.created"] });
  // The first wanted event is the 300th one. Nothing says that no event waits before all are read.
  const endpoint = { ...one.endpoint, eventTypes: ["crb.created" as const] };
  const progress = (maxRead: number) => readProgress(one.table, endpoint, undefined, maxRead);
  expect(await progress(100)).toMatchObject({ status: "delivering", undelivered: 0 });
  expect(await progress(2_000)).toMatchObject({ status: "delivering", undelivered: 3 });
  expect((await one.deliver()).delivered).toBe(3);
  expect(one.received.map(({ data }) => data.number)).toEqual([300, 600, 900]);
  expect((await readPositions(one.table, one.endpoint.id))[3]?.seq).toBe(1_050);
});

function eventItem({ spId, crbId }: WebhooksUnderTest, number: number) {
  const type = number % 300 === 0 ? "crb.created" : "crb.updated";
  const event = { id: `${number}`, type, date: "2026-03-10T12:00:00.000Z", sp_id: spId, crb_id: crbId };
  return { body: JSON.stringify({ ...event, data: { number } }), expires: 4e9 };
}

test("the log lists 30 days, newest first, with exact totals on every page", async () => {
  const one = await createListening();
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  for (const number of numbers) {
    // The two shards alternate, some within an hour.
    await one.storeEvent("crb.updated", { number }, crbOfShard(number % 2 ? 3 : 5));
    await one.deliver(number % 2 ? 3 : 5);
    one.clock.time += number < 6 ? 7 * minute : 50 * minute;
  }
  const ids = one.received.map(({ id }) => id).reverse();
  for (const limit of [1, 5, 100]) {
    for (let offset = 0; offset < 14; offset += limit) {
      const { total, records } = await readDeliveries(one.table, one.endpoint.id, { offset, limit });
      expect(total).toBe(12);
      expect(records.map((text) => JSON.parse(text).event_id)).toEqual(ids.slice(offset, offset + limit));
    }
  }
  one.clock.time = Date.parse("2026-04-09T13:30:00.000Z");
  const { total, records } = await readDeliveries(one.table, one.endpoint.id, { offset: 0, limit: 100 });
  expect(total).toBe(records.length);
  expect(records.map((text) => JSON.parse(text).date >= "2026-03-10T13:00")).not.toContain(false);
  expect(total).toBeLessThan(12);
});

// The certificate of a purge says so.
test("the log's data of an event is gone 60 days after it, even if it was replayed on its last day", async () => {
  const one = await createListening();
  const day = 24 * hour;
  const stored = one.clock.time;
  await one.storeEvent("crb.updated");
  await one.deliver();
  one.clock.time += 30 * day - minute;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, new Date(stored));
  await one.deliver();
  const attempts = await one.table.queryPartition(deliveryKey(one.endpoint.id, "", "").pk);
  const daysKept = attempts.map(({ expires }) => Math.floor((Number(expires) * 1_000 - stored) / day));
  expect(daysKept).toEqual([30, 60]);
  expect(attempts.map(({ body }) => JSON.parse(body as string).crb_id)).toEqual([one.crbId, one.crbId]);
});
