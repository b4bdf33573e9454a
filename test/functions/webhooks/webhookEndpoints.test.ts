import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { eventTypes } from "../../../shared/api/enumerations.ts";
import { deleteEndpoint } from "../../../shared/domain/webhooks/deleteEndpoint.ts";
import { readEndpoint } from "../../../shared/domain/webhooks/endpoint.ts";
import { rotateSecret, updateEndpoint } from "../../../shared/domain/webhooks/endpointChanges.ts";
import { signingSecrets } from "../../../shared/domain/webhooks/secrets.ts";
import { type Table, unchanged } from "../../../shared/store/client.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import { shardCount, shardNumbers, shardOf } from "../../../shared/store/eventLog/shards.ts";
import { eventsPartition, webhookListenerKey } from "../../../shared/store/keys/events.ts";
import {
  enabledWebhookKey,
  webhookEndpointKey,
  webhookEndpointsKey,
  webhookPositionKey,
} from "../../../shared/store/keys/webhooks.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { interceptCalls, TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenWebhooks, url } from "./useWebhooks.ts";

const table = useTestTable();
useTestBucket();
useTestSealingKey();

const given = () => givenWebhooks(table());
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** The number of items which say that a service provider has enabled endpoints. */
const listened = async (spId: string) => {
  const keys = shardNumbers.map((shard) => webhookListenerKey(eventsPartition(spId, shard)));
  return (await table().batchGet(keys, { consistent: true })).size;
};
const positions = (id: string) => table().queryPartition(webhookPositionKey(id, 0).pk, { consistent: true });
const isListedAsEnabled = async (spId: string, id: string) =>
  (await table().get(enabledWebhookKey(spId, id), { consistent: true })) !== undefined;
const stored = async (spId: string, id: string) => (await readEndpoint(table(), spId, id)) ?? expect.fail("none");

describe("a new endpoint", () => {
  test("is returned once with its secret, and afterwards without it", async () => {
    const { create, read, list, spId, clientId } = await given();
    const { status, json } = await create({
      url: "https://93.184.216.34:8443",
      event_types: [],
      description: " Desk ",
    });
    const { secret, ...endpoint } = json;
    expect(status).toBe(200);
    expect(secret).toMatch(secretForm);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: "https://93.184.216.34:8443/",
      description: "Desk",
      event_types: [],
      enabled: true,
      created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      created_by: clientId,
      created_by_person: null,
      changed_by: null,
      changed_by_person: null,
      status: "current",
      undelivered: 0,
      last_delivered_date: null,
      last_error: null,
    });
    expect((await read(endpoint.id)).json).toEqual(endpoint);
    expect((await list()).json).toEqual({ metadata: { total: 1, count: "1 - 1" }, data: [endpoint] });
    expect(await isListedAsEnabled(spId, endpoint.id)).toBe(true);
    expect(await listened(spId)).toBe(shardCount);
  });

  test("gets only later events, even if earlier ones have no position yet", async () => {
    const { create, spId, crbId } = await given();
    const event = { type: "crb.updated" as const, spId, crbId, data: {} };
    await commitWithEvents(table(), { writes: [], events: [event] }, systemClock);
    const crashing = testTableOf(table(), systemClock);
    interceptCalls(crashing).after = () => {
      throw new Error("killed");
    };
    await expect(commitWithEvents(crashing, { writes: [], events: [event, event] }, systemClock)).rejects.toThrow(
      "killed",
    );
    const { json } = await create();
    // In addition, the creation of the CRB, and that of the credential, which belongs to no CRB.
    const head = (shard: number) => (shard === shardOf(crbId) ? 4 : 0) + (shard === shardOf(null) ? 1 : 0);
    const seqs = (await positions(json.id)).map(({ seq, epoch }) => [seq, epoch]);
    expect(seqs).toEqual(shardNumbers.map((shard) => [head(shard), 0]));
  });

  test("has each event type once", async () => {
    const { create } = await given();
    const event_types = ["crb.created", "document.added", "crb.created"];
    expect((await create({ url, event_types })).json.event_types).toEqual(["crb.created", "document.added"]);
  });

  test("is the first in the list, and an eleventh gets 409 until one is deleted", async () => {
    const { create, list, remove } = await given();
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) ids.unshift((await create({ url, description: `${i}` })).json.id);
    const eleventh = await create();
    expect([eleventh.status, eleventh.json.message]).toEqual([
      409,
      "The service provider already has 10 webhook endpoints, the maximum: delete one first.",
    ]);
    const { json } = await list();
    expect(json.metadata).toEqual({ total: 10, count: "1 - 10" });
    expect(json.data.map(({ description }: { description: string }) => description)).toEqual([..."9876543210"]);
    expect((await remove(ids[3] as string)).status).toBe(200);
    expect((await create()).status).toBe(200);
  });

  test("that is created in parallel does not exceed the limit of ten", async () => {
    const { create, list } = await given();
    for (let i = 0; i < 9; i++) await create();
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await list()).json.metadata.total).toBe(10);
  });
});

describe("an endpoint gets 422", () => {
  test.each<[string, object, string[]]>([
    ["no url", {}, ["body.url"]],
    ["a private address", { url: "https://10.0.0.1/" }, ["body.url"]],
    ["one of this machine", { url: "http://127.0.0.1:3999/" }, ["body.url"]],
    ["an empty url", { url: "" }, ["body.url"]],
    ["a url of 2,001 characters", { url: `https://93.184.216.34/${"x".repeat(1_979)}` }, ["body.url"]],
    ["a url that is no text", { url: { href: url } }, ["body.url"]],
    ["an unknown type of events", { url, event_types: ["crb.exploded"] }, ["body.event_types.0"]],
    ["too many types", { url, event_types: Array(eventTypes.length + 1).fill("crb.created") }, ["body.event_types"]],
    ["a long description", { url, description: "x".repeat(256) }, ["body.description"]],
    ["a secret of one's own", { url, secret: "whsec_x" }, ["body.secret"]],
    ["all at once", { url: "https://[::1]/", description: 7, id: "x" }, ["body.description", "body.id", "body.url"]],
  ])("for %s", async (_, body, fields) => {
    const { create, list } = await given();
    const { status, json } = await create(body);
    expect([status, Object.keys(json.fields).sort()]).toEqual([422, fields]);
    expect((await list()).json.metadata.total).toBe(0);
  });

  test("for a hostile url, which is not echoed", async () => {
    const { create, update } = await given();
    const { id } = (await create()).json;
    for (const hostile of ["https://me:pa55word@93.184.216.34/", "https://10.0.0.1/?token=pa55word", "pa55word"]) {
      for (const answer of [await create({ url: hostile }), await update(id, { url: hostile })]) {
        expect(answer.status).toBe(422);
        expect(answer.json.fields["body.url"]).toEqual({ message: expect.any(String) });
        expect(answer.text).not.toContain("pa55word");
      }
    }
  });
});

test("a url of 2,000 characters is accepted unchanged", async () => {
  const { create } = await given();
  const longest = `https://93.184.216.34/${"x".repeat(1_978)}`;
  expect(longest).toHaveLength(2_000);
  expect((await create({ url: longest })).json.url).toBe(longest);
});

describe("an update", () => {
  test("changes only the fields that it has", async () => {
    const { create, update, read, spId } = await given();
    const { secret: _, ...created } = (await create({ url, event_types: ["crb.created"], description: "a" })).json;
    const before = await stored(spId, created.id);
    const { status, json } = await update(created.id, { description: "b" });
    expect([status, json]).toEqual([200, { ...created, changed_by: created.created_by, description: "b" }]);
    expect((await update(created.id, { event_types: [] })).json).toEqual({ ...json, event_types: [] });
    expect((await read(created.id)).json.event_types).toEqual([]);
    const after = await stored(spId, created.id);
    // A change of the event types resets the count of failures.
    expect(after.configuredAt > before.configuredAt).toBe(true);
    const { configuredAt, changes } = after;
    const changedBy = created.created_by;
    const changed = { description: "b", eventTypes: [], configuredAt, changedBy, changes, version: 3 };
    expect(after).toEqual({ ...before, ...changed });
  });

  test("without any change writes nothing", async () => {
    const { create, update, spId } = await given();
    const { id } = (await create()).json;
    for (const body of [{}, { url }, { description: "", event_types: [] }]) {
      expect((await update(id, body)).status).toBe(200);
    }
    expect((await stored(spId, id)).version).toBe(1);
  });

  test("disables and enables, and resets the count of failures when it enables or changes the url", async () => {
    const { create, update, spId } = await given();
    const { id } = (await create()).json;
    const { configuredAt } = await stored(spId, id);
    expect((await update(id, { enabled: false })).json).toMatchObject({ enabled: false, status: "disabled" });
    expect(await isListedAsEnabled(spId, id)).toBe(false);
    expect((await stored(spId, id)).configuredAt).toBe(configuredAt);
    // Disabled as the service itself does it.
    const gone = { reason: "gone", date: configuredAt };
    await table().update(webhookEndpointKey(spId, id), { disabled: gone }, unchanged("version", 2));
    expect((await update(id, { enabled: true })).json).toMatchObject({ enabled: true, status: "current" });
    expect(await isListedAsEnabled(spId, id)).toBe(true);
    const enabled = await stored(spId, id);
    expect([enabled.disabled, enabled.configuredAt > configuredAt]).toEqual([null, true]);
    await update(id, { url: "https://93.184.216.34/other" });
    expect((await stored(spId, id)).configuredAt > enabled.configuredAt).toBe(true);
  });
});

describe("a new secret", () => {
  test("leaves the earlier one valid for 24 hours", async () => {
    const { create, rotate, spId } = await given();
    const created = (await create()).json;
    const { status, json } = await rotate(created.id);
    const { secret, ...endpoint } = json;
    expect(status).toBe(200);
    expect({ ...endpoint, secret: created.secret }).toEqual({ ...created, changed_by: created.created_by });
    expect(secret).toMatch(secretForm);
    const clock = new TestClock("2036-03-01T12:00:00.000Z");
    const again = async () => (await rotateSecret(testTableOf(table(), clock), spId, created.id)).secret;
    const good = async (at: string) => signingSecrets(await stored(spId, created.id), new Date(at));
    const third = await again();
    expect(await good("2036-03-02T11:59:59.999Z")).toEqual([third, secret]);
    expect(await good("2036-03-02T12:00:00.000Z")).toEqual([third]);
    clock.advance(23 * 3_600_000);
    const fourth = await again();
    expect(await good("2036-03-02T11:59:59.000Z")).toEqual([fourth, third, secret]);
    expect(await good("2036-03-02T12:00:00.000Z")).toEqual([fourth, third]);
    expect(await good("2036-03-03T11:00:00.000Z")).toEqual([fourth]);
  });

  test("can be created five times in 24 hours, so that no secret in use is lost", async () => {
    const { create, rotate, spId } = await given();
    const { id } = (await create()).json;
    for (let i = 0; i < 5; i++) expect((await rotate(id)).status).toBe(200);
    const sixth = await rotate(id);
    expect([sixth.status, sixth.json.message]).toEqual([
      409,
      "The secret was rotated 5 times within 24 hours, the maximum. Rotate again when an earlier secret has expired.",
    ]);
    const later = new TestClock(new Date(Date.now() + 24 * 3_600_000 + 1).toISOString());
    expect((await rotateSecret(testTableOf(table(), later), spId, id)).endpoint.secrets).toHaveLength(2);
  });

  test("does not replace another one that is created in parallel", async () => {
    const { create, rotate, spId } = await given();
    const created = (await create()).json;
    const rotated = await Promise.all([rotate(created.id), rotate(created.id)]);
    const good = await signingSecrets(await stored(spId, created.id), new Date());
    expect(good.toSorted()).toEqual([created.secret, ...rotated.map(({ json }) => json.secret)].toSorted());
  });

  test("is not lost if an update runs in parallel", async () => {
    const { create, rotate, update, spId } = await given();
    for (let i = 0; i < 5; i++) {
      const { id } = (await create()).json;
      const [updated, rotated] = await Promise.all([update(id, { description: "new" }), rotate(id)]);
      expect([updated.status, rotated.status]).toEqual([200, 200]);
      const { description, secrets, version } = await stored(spId, id);
      expect([description, secrets.length, version]).toEqual(["new", 2, 3]);
    }
  });
});

describe("a deletion", () => {
  test("removes the secret, the positions, and the list entries", async () => {
    const { create, remove, read, list, spId } = await given();
    const [{ secret: _, ...first }, second] = [(await create()).json, (await create()).json];
    expect(await positions(first.id)).toHaveLength(shardCount);
    const { status, json } = await remove(first.id);
    expect([status, json]).toEqual([200, { ...first, enabled: false, status: "disabled" }]);
    expect((await read(first.id)).status).toBe(404);
    expect((await list()).json.data.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    expect(await positions(first.id)).toEqual([]);
    expect(await table().get(webhookEndpointKey(spId, first.id), { consistent: true })).toBeUndefined();
    expect(await isListedAsEnabled(spId, first.id)).toBe(false);
    // The other endpoint is still enabled.
    expect(await listened(spId)).toBe(shardCount);
    await remove(second.id);
    expect(await listened(spId)).toBe(0);
    const ids = await table().get(webhookEndpointsKey(spId), { consistent: true });
    expect(ids?.ids).toEqual([]);
  });

  test("succeeds once", async () => {
    const { create, remove } = await given();
    const { id } = (await create()).json;
    const answers = await Promise.all([remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test("is not undone by a parallel update or new secret", async () => {
    const { create, remove, update, rotate, read, spId } = await given();
    for (let i = 0; i < 5; i++) {
      const { id } = (await create()).json;
      const [removed, ...others] = await Promise.all([remove(id), update(id, { enabled: false }), rotate(id)]);
      expect(removed.status).toBe(200);
      for (const { status } of others) expect([200, 404]).toContain(status);
      expect((await read(id)).status).toBe(404);
      expect(await isListedAsEnabled(spId, id)).toBe(false);
      expect(await positions(id)).toEqual([]);
    }
    expect(await listened(spId)).toBe(0);
  });

  test.each<[string, (late: Table, spId: string, id: string) => Promise<unknown>]>([
    ["an update", (late, spId, id) => updateEndpoint(late, spId, id, { description: "late", enabled: false })],
    ["a new secret", rotateSecret],
    ["another deletion", deleteEndpoint],
  ])("during %s makes that call fail with 404, and nothing comes back", async (_, change) => {
    const { create, remove, spId } = await given();
    const { id } = (await create()).json;
    const late = testTableOf(table(), systemClock);
    let removed: Promise<{ status: number }> | undefined;
    interceptCalls(late).after = async () => {
      removed ??= remove(id);
      expect((await removed).status).toBe(200);
    };
    await expect(change(late, spId, id)).rejects.toMatchObject({ kind: "notFound" });
    expect(await table().get(webhookEndpointKey(spId, id), { consistent: true })).toBeUndefined();
    expect([await isListedAsEnabled(spId, id), await listened(spId)]).toEqual([false, 0]);
  });

  test("of the last endpoint in parallel with a creation leaves the new one enabled", async () => {
    const { create, remove, spId } = await given();
    for (let i = 0; i < 5; i++) {
      const { id } = (await create()).json;
      const [, created] = await Promise.all([remove(id), create()]);
      expect([await listened(spId), await isListedAsEnabled(spId, created.json.id)]).toEqual([shardCount, true]);
      await remove(created.json.id);
    }
  });
});

test("an endpoint of another service provider gets 404", async () => {
  const [owner, other] = [await given(), await given()];
  const { id } = (await owner.create()).json;
  for (const answer of [
    await other.read(id),
    await other.update(id, { enabled: false }),
    await other.rotate(id),
    await other.remove(id),
    await owner.read(randomUUID()),
    await owner.update(randomUUID(), {}),
    await owner.rotate(randomUUID()),
  ]) {
    expect(answer.status).toBe(404);
  }
  expect((await other.list()).json.data).toEqual([]);
  expect((await owner.read(id)).json).toMatchObject({ id, enabled: true });
});
