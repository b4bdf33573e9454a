import { afterEach, expect, test } from "vitest";
import { readDeliveries } from "../../../../shared/domain/webhooks/deliveryLog.ts";
import { readPositions, readProgress } from "../../../../shared/domain/webhooks/deliveryProgress.ts";
import { readEndpoint } from "../../../../shared/domain/webhooks/endpoint.ts";
import { rotateSecret, updateEndpoint } from "../../../../shared/domain/webhooks/endpointChanges.ts";
import { deleteEndpoint } from "../../../../shared/domain/webhooks/endpointsOfProvider.ts";
import { replayEndpoint } from "../../../../shared/domain/webhooks/replayEndpoint.ts";
import { eventHeadKey, eventKey, eventsPartition } from "../../../../shared/store/keys/events.ts";
import { deliveryKey } from "../../../../shared/store/keys/webhooks.ts";
import { useTestSealingKey } from "../../../testServiceKey.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestKms } from "../../../useTestKms.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { crbOfShard, eventsOf } from "../../store/eventLog/eventsUnderTest.ts";
import { hung, refused, taken, WebhooksUnderTest } from "./webhooksUnderTest.ts";

useTestSealingKey();
const kms = useTestKms();
afterEach(() => {
  delete process.env.KMS_KEY_ID;
});
const sent = useQueues();
const table = useTestTable();

const minute = 60_000;
const hour = 60 * minute;
const [thisPlace, otherPlace] = [crbOfShard(3), crbOfShard(3)];

async function attemptsOf({ table, endpoint }: WebhooksUnderTest) {
  const { records } = await readDeliveries(table, endpoint.id, { offset: 0, limit: 1_000 });
  return records.map((text) => JSON.parse(text)).reverse();
}

async function given(eventTypes: Parameters<WebhooksUnderTest["listen"]>[0] = []) {
  const one = new WebhooksUnderTest(table());
  await one.listen(eventTypes);
  return one;
}

test("events are asked for where somebody listens, and nowhere else", async () => {
  const one = new WebhooksUnderTest(table());
  await one.tell("crb.created");
  expect(sent.webhooks).toEqual([]);
  await one.listen();
  await one.tell("crb.updated");
  expect(sent.webhooks).toEqual([{ sp_id: one.spId, shard: 3 }]);
  await deleteEndpoint(one.table, one.spId, one.endpoint.id);
  await one.tell("crb.updated");
  expect(sent.webhooks).toHaveLength(1);
});

test("an endpoint gets what is stored from then on, each event once, and its log says so", async () => {
  const one = new WebhooksUnderTest(table());
  await one.tell("crb.created");
  await one.listen();
  await one.tell("crb.updated", { number: 1 });
  await one.tell("crb.updated", { number: 2 });
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

test("types that are not wanted are passed over, and not counted", async () => {
  const one = await given(["crb.created"]);
  await one.tell("crb.updated");
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(0);
  await one.tell("crb.created");
  await one.tell("crb.updated");
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(1);
  expect((await one.deliver()).delivered).toBe(1);
  expect((await readPositions(one.table, one.endpoint.id))[3]?.seq).toBe(3);
});

test("what waits of the same kind is merged, unless another event of its business stands between", async () => {
  const one = await given();
  const change = (crbId: string, kind: string, cursor_before: string) =>
    one.tell("records.changed", { kind, cursor_before }, crbId);
  await change(thisPlace, "sales", "a");
  await change(otherPlace, "sales", "b");
  await change(thisPlace, "sales", "c");
  await change(thisPlace, "products", "d");
  await change(thisPlace, "sales", "e");
  await one.tell("crb.updated", {}, otherPlace);
  await change(otherPlace, "sales", "f");
  await change(otherPlace, "sales", "g");
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

test("what failed is tried again after growing pauses, for three days, then the endpoint is disabled, with an event", async () => {
  const one = await given(["crb.updated"]);
  one.respond = () => refused;
  await one.tell("crb.updated");
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
  // Enabled again, it goes on where it stood.
  await updateEndpoint(one.table, one.spId, one.endpoint.id, { enabled: true });
  expect(await one.deliver()).toMatchObject({ outcome: "failed", failure: { attempt: 1 } });
  one.respond = () => taken;
  one.clock.time += 6_000;
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
});

test("410 disables at once", async () => {
  const one = await given();
  one.respond = () => ({ statusCode: 410, error: "status" });
  await one.tell("crb.updated");
  expect((await one.deliver()).outcome).toBe("disabled");
  const disabled = { enabled: false, disabled: { reason: "gone" } };
  expect(await readEndpoint(one.table, one.spId, one.endpoint.id)).toMatchObject(disabled);
});

test("an endpoint that is led elsewhere during its last attempt is not disabled, and is tried at once", async () => {
  const one = await given();
  one.respond = async () => {
    await updateEndpoint(one.table, one.spId, one.endpoint.id, { url: "https://other.example.com/" });
    return { statusCode: 410, error: "status" };
  };
  await one.tell("crb.updated");
  one.clock.time += 1;
  expect((await one.deliver()).outcome).toBe("failed");
  expect(await readEndpoint(one.table, one.spId, one.endpoint.id)).toMatchObject({ enabled: true, disabled: null });
  const urls: string[] = [];
  one.respond = (_, { url }) => {
    urls.push(url);
    return taken;
  };
  expect((await one.deliver()).delivered).toBe(1);
  expect(urls).toEqual(["https://other.example.com/"]);
});

test.each(["disabled", "deleted"] as const)("nothing begins once an endpoint is %s", async (how) => {
  const one = await given();
  const { id } = one.endpoint;
  one.respond = async () => {
    if (how === "deleted") await deleteEndpoint(one.table, one.spId, id);
    else await updateEndpoint(one.table, one.spId, id, { enabled: false });
    return taken;
  };
  await one.tell("crb.updated");
  await one.tell("crb.updated");
  await one.deliver();
  await one.deliver();
  expect(one.received).toHaveLength(1);
  expect(await readPositions(one.table, id)).toHaveLength(how === "deleted" ? 0 : 16);
});

test("of two workers one yields, and what comes meanwhile is delivered by the other", async () => {
  const one = await given();
  await one.tell("crb.updated", { number: 1 });
  let second: unknown;
  one.respond = async () => {
    if (!second) {
      await one.tell("crb.updated", { number: 2 });
      second = await one.deliver();
    }
    return taken;
  };
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 2 });
  expect(second).toEqual({ outcome: "held", delivered: 0 });
  expect(one.received.map(({ data }) => data.number)).toEqual([1, 2]);
});

test("a worker who was killed holds events up for half a minute", async () => {
  const one = await given();
  await one.tell("crb.updated");
  one.respond = () => {
    throw new Error("killed");
  };
  const release = one.table.update.bind(one.table);
  one.table.update = () => Promise.reject(new Error("killed"));
  await expect(one.deliver()).rejects.toThrow("killed");
  one.table.update = release;
  one.respond = () => taken;
  one.clock.time += 29_000;
  expect((await one.deliver()).outcome).toBe("held");
  one.clock.time += 1_001;
  expect((await one.deliver()).delivered).toBe(1);
});

test("a worker whose time is over hands on, and begins no attempt", async () => {
  const one = await given();
  for (let n = 0; n < 3; n++) await one.tell("crb.updated");
  sent.webhooks = [];
  one.respond = () => {
    one.clock.time += 1_500;
    return taken;
  };
  const deadline = new Date(one.clock.time + 2_000);
  expect(await one.deliver(3, { deadline })).toEqual({ outcome: "handed over", delivered: 2 });
  expect(sent.webhooks).toEqual([{ sp_id: one.spId, endpoint_id: one.endpoint.id, shard: 3 }]);
  expect((await one.deliver()).delivered).toBe(1);
});

test("a worker whose turn is over puts its shard back into the queue, but not before it has delivered something", async () => {
  const one = await given();
  for (let n = 0; n < 4; n++) await one.tell("crb.updated");
  one.respond = () => {
    one.clock.time += 2_000;
    return taken;
  };
  sent.webhooks = [];
  expect(await one.deliver()).toEqual({ outcome: "handed over", delivered: 2 });
  expect(sent.webhooks).toEqual([{ sp_id: one.spId, endpoint_id: one.endpoint.id, shard: 3 }]);
  one.respond = () => {
    one.clock.time += 9_000;
    return taken;
  };
  expect(await one.deliver()).toEqual({ outcome: "handed over", delivered: 1 });
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
});

test("a retry that is due while another shard's attempt is made is asked for again behind that", async () => {
  const one = await given();
  await one.tell("crb.updated");
  await one.tell("crb.updated", {}, crbOfShard(5));
  one.respond = () => refused;
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

test("whoever has got the one attempt by a call whose answer was lost makes it", async () => {
  const one = await given();
  await one.tell("crb.updated");
  one.respond = () => refused;
  await one.deliver();
  one.clock.time += minute;
  let calls = 0;
  const { change } = one.table;
  one.table.change = async (...args) => {
    const result = await change.apply(one.table, args);
    // The SDK sends it once more.
    return calls++ === 0 ? change.apply(one.table, args) : result;
  };
  one.respond = () => taken;
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
});

test("a secret that is made anew, or an endpoint that is deleted, while secrets are being opened is not passed over", async () => {
  process.env.KMS_KEY_ID = kms.keyId;
  const one = await given();
  for (let n = 0; n < 2; n++) await one.tell("crb.updated");
  const signatures: number[] = [];
  one.respond = (_, { secrets }) => {
    signatures.push(secrets.length);
    return taken;
  };
  kms.meanwhile = async () => void (await rotateSecret(one.table, one.spId, one.endpoint.id));
  const deadline = new Date(one.clock.time + 1);
  expect(await one.deliver(3, { deadline })).toEqual({ outcome: "handed over", delivered: 1 });
  expect(signatures).toEqual([2]);
  kms.meanwhile = async () => void (await deleteEndpoint(one.table, one.spId, one.endpoint.id));
  expect(await one.deliver()).toEqual({ outcome: "gone", delivered: 0 });
  expect(signatures).toEqual([2]);
});

test("in trouble, an endpoint has one attempt at a time, of any shard; a success ends it and asks for all", async () => {
  const one = await given();
  const others = [5, 7].map(crbOfShard);
  await one.tell("crb.updated");
  for (const crbId of others) await one.tell("crb.updated", {}, crbId);
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
  one.respond = () => taken;
  // An event that its receiver never takes holds up no shard but its own.
  expect(await one.deliver(7)).toEqual({ outcome: "current", delivered: 1 });
  expect(sent.webhooks).toHaveLength(16);
});

test("a replay sets positions back, whoever holds them, and skips what waits; only within 30 days", async () => {
  const one = await given();
  await one.tell("crb.updated", { number: 1 });
  one.clock.time += hour;
  await one.tell("crb.updated", { number: 2 });
  await one.tell("crb.updated", { number: 3 });
  const replay = (from: number) => replayEndpoint(one.table, one.spId, one.endpoint.id, new Date(from));
  let calls = 0;
  one.respond = async () => {
    if (++calls === 2) await replay(one.clock.time - 2 * hour);
    return taken;
  };
  expect((await one.deliver()).outcome).toBe("taken over");
  await one.deliver();
  expect(one.received.map(({ data }) => data.number)).toEqual([1, 2, 1, 2, 3]);
  // Also the one that the replay has overtaken.
  expect((await attemptsOf(one)).map(({ event_id }) => event_id)).toEqual(one.received.map(({ id }) => id));
  await replay(one.clock.time - 30 * minute);
  await one.deliver();
  expect(one.received.slice(5).map(({ data }) => data.number)).toEqual([2, 3]);
  one.respond = () => refused;
  await one.tell("crb.updated", { number: 4 });
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

test("a replay since a moment ago skips nothing that came after it, whoever's clock is behind", async () => {
  const one = await given();
  const asOf = (instant: string) => (one.clock.time = Date.parse(instant));
  asOf("2026-03-10T12:00:06.700Z");
  // Whoever gives it its place is 4 seconds behind.
  await one.tell("crb.updated", { number: 1 });
  asOf("2026-03-10T12:00:11.700Z");
  await replayEndpoint(one.table, one.spId, one.endpoint.id, new Date("2026-03-10T12:00:10.100Z"));
  await one.deliver();
  expect(one.received.map(({ data }) => data.number)).toEqual([1]);
});

test("once a replay has skipped what failed, an endpoint is not in trouble any more", async () => {
  const one = await given();
  await one.tell("crb.updated");
  one.respond = () => refused;
  await one.deliver();
  one.clock.time += minute;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, one.clock.now());
  await one.tell("crb.updated");
  await one.tell("crb.updated", {}, crbOfShard(5));
  let meanwhile: unknown;
  one.respond = async () => {
    meanwhile ??= await one.deliver(5);
    return taken;
  };
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
  expect(meanwhile).toEqual({ outcome: "current", delivered: 1 });
});

test("a replay delivers each event by its own id, also those that would be merged when they are new", async () => {
  const one = await given();
  for (let number = 1; number <= 3; number++) {
    await one.tell("records.changed", { kind: "sales", cursor_before: `cursor ${number}` });
  }
  await one.deliver();
  expect(one.received.map(({ data }) => data.cursor_before)).toEqual(["cursor 1"]);
  one.clock.time += minute;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, new Date(one.clock.time - hour));
  await one.deliver();
  expect(one.received.slice(1).map(({ data }) => data.cursor_before)).toEqual(["cursor 1", "cursor 2", "cursor 3"]);
});

test("a replay since a few seconds ago delivers what was stored since", async () => {
  const one = await given();
  await one.tell("crb.updated", { number: 1 });
  await one.deliver();
  one.clock.time += minute;
  const from = new Date(one.clock.time);
  one.clock.time += 2_000;
  await one.tell("crb.updated", { number: 2 });
  one.clock.time += 2_000;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, from);
  await one.deliver();
  expect(one.received.map(({ data }) => data.number)).toEqual([1, 2]);
});

test("failures are those of one event: where it is not wanted any more, the next begins anew", async () => {
  const one = await given();
  await one.tell("crb.updated", { number: 1 });
  one.respond = () => refused;
  await one.deliver();
  await updateEndpoint(one.table, one.spId, one.endpoint.id, { eventTypes: ["crb.created"] });
  one.clock.time += 4 * 24 * hour;
  await one.tell("crb.created", { number: 2 });
  expect(await one.deliver()).toMatchObject({ outcome: "failed", failure: { attempt: 1 } });
  one.clock.time += hour;
  one.respond = () => taken;
  expect(await one.deliver()).toMatchObject({ outcome: "current", delivered: 1 });
});

test("events that have expired are passed over, whether or not they are there still", async () => {
  const one = await given();
  for (let number = 1; number <= 3; number++) await one.tell("crb.updated", { number });
  one.clock.time += 31 * 24 * hour;
  await one.tell("crb.updated", { number: 4 });
  await one.table.delete(eventKey(eventsPartition(one.spId, 3), 1));
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(1);
  expect(await one.deliver()).toEqual({ outcome: "current", delivered: 1 });
  expect(one.received.map(({ data }) => data.number)).toEqual([4]);
});

test("those that are wanted come out of many, and more than 1,000 are counted as 1,000", async () => {
  const one = await given();
  const pk = eventsPartition(one.spId, 3);
  const places = Array.from({ length: 1_050 }, (_, i) => i + 1);
  await Promise.all(places.map((place) => one.table.put({ ...eventKey(pk, place), ...eventItem(one, place) })));
  await one.table.put({ ...eventHeadKey(pk), seq: places.length, kept_until: 4e9 });
  expect((await readProgress(one.table, one.endpoint)).undelivered).toBe(1_000);
  await updateEndpoint(one.table, one.spId, one.endpoint.id, { eventTypes: ["crb.created"] });
  expect((await one.deliver()).delivered).toBe(3);
  expect(one.received.map(({ data }) => data.number)).toEqual([300, 600, 900]);
  expect((await readPositions(one.table, one.endpoint.id))[3]?.seq).toBe(1_050);
}, 60_000);

function eventItem({ spId, crbId }: WebhooksUnderTest, number: number) {
  const type = number % 300 === 0 ? "crb.created" : "crb.updated";
  const event = { id: `${number}`, type, date: "2026-03-10T12:00:00.000Z", sp_id: spId, crb_id: crbId };
  return { body: JSON.stringify({ ...event, data: { number } }), expires: 4e9 };
}

test("the log shows 30 days, newest first, with exact totals on every page", async () => {
  const one = await given();
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  for (const number of numbers) {
    // Two shards take turns, some within an hour.
    await one.tell("crb.updated", { number }, crbOfShard(number % 2 ? 3 : 5));
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

// As the certificate of a purge says.
test("what the log keeps of an event is gone 60 days after it, also where it was replayed on its last day", async () => {
  const one = await given();
  const day = 24 * hour;
  const stored = one.clock.time;
  await one.tell("crb.updated");
  await one.deliver();
  one.clock.time += 30 * day - minute;
  await replayEndpoint(one.table, one.spId, one.endpoint.id, new Date(stored));
  await one.deliver();
  const attempts = await one.table.queryPartition(deliveryKey(one.endpoint.id, "", "").pk);
  const daysKept = attempts.map(({ expires }) => Math.floor((Number(expires) * 1_000 - stored) / day));
  expect(daysKept).toEqual([30, 60]);
  expect(attempts.map(({ body }) => JSON.parse(body as string).crb_id)).toEqual([one.crbId, one.crbId]);
});
