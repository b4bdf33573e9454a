import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AccessScope, EventType } from "../../../shared/api/enumerations.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../../../shared/store/eventLog/newEvent.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

// Events that follow from sales need point-of-sale:read (docs/spec.md#events).

useTestServiceKey();
useTestSealingKey();
const table = useTestTable();

const vendorScopes: AccessScope[] = ["service-provider:read", "service-provider:write"];
const url = "https://93.184.216.34/events";

async function given() {
  const bank = await givenServiceProvider(table());
  const { secret: vendor } = await bank.another(vendorScopes);
  const { spId, crbId, call } = bank;
  const store = async (...types: EventType[]) => {
    for (const type of types) {
      const event = { type, spId, crbId, data: { date: "2026-02-14" } } as unknown as NewEvent;
      const write = table().putWrite({ pk: `TEST#${randomUUID()}`, sk: "TEST" });
      await commitWithEvents(table(), { writes: [write], events: [event] }, systemClock);
    }
  };
  /** Follows the cursors to the end; returns the types on each page. */
  const follow = async (authorization: string, limit: number) => {
    const pages: EventType[][] = [];
    for (let [cursor, isDone]: [string | undefined, boolean] = [undefined, false]; !isDone; ) {
      const { status, json } = await call("listEvents", { authorization, query: { limit: String(limit), cursor } });
      expect(status).toBe(200);
      pages.push(json.data.map(({ type }: { type: EventType }) => type));
      cursor = json.cursor;
      isDone = !json.has_more;
    }
    return pages;
  };
  const create = (body: object, authorization = vendor) =>
    call("createWebhookEndpoint", { authorization, body: { url, ...body } });
  const update = (endpoint_id: string, body: object) =>
    call("updateWebhookEndpoint", { authorization: vendor, path: { endpoint_id }, body });
  return { ...bank, vendor, store, follow, create, update };
}

const ofSales: EventType[] = [
  ...(["sales_day.completed", "sales_day.revised", "sales_day.flagged"] as const),
  ...(["reconciliation_day.exceeded", "reconciliation_day.revised", "state_day.varied"] as const),
  ...(["insight.raised", "insight.withdrawn", "insight.decided", "statement.ready", "statement.failed"] as const),
];

test("lists omit them, and the cursors lead past them to later events", async () => {
  const { store, follow, secret, vendor } = await given();
  await store("document.added", ...ofSales, "document.deleted");
  const [all, shown] = [await follow(secret, 1), await follow(vendor, 1)];
  const others = all.flat().filter((type) => !ofSales.includes(type));
  expect(others).toEqual(expect.arrayContaining(["document.added", "document.deleted"]));
  expect(all.flat()).toHaveLength(others.length + ofSales.length);
  expect(shown.flat()).toEqual(others);
  expect(shown).toHaveLength(all.length);
  expect((await follow(vendor, 100)).flat().sort()).toEqual(others.sort());
});

test("a token without the scope omits them, too", async () => {
  const { store, follow, tokenOf } = await given();
  await store("sales_day.completed", "crb.updated");
  const types = (await follow(await tokenOf(vendorScopes), 100)).flat();
  expect([types.includes("crb.updated"), types.includes("sales_day.completed")]).toEqual([true, false]);
});

describe("webhook endpoints", () => {
  const rejected = { status: 403, json: { code: "scope_missing" } };

  test.each<[string, object]>([
    ["all types by default", {}],
    ["all types", { event_types: [] }],
    ["one of them", { event_types: ["document.added", "insight.raised"] }],
  ])("are not registered for %s", async (_, body) => {
    const { create, secret } = await given();
    expect(await create(body)).toMatchObject(rejected);
    expect((await create(body, secret)).status).toBe(200);
  });

  test("are registered for other types, and changed, but not to these types", async () => {
    const { create, update } = await given();
    const { status, json } = await create({ event_types: ["document.added", "onboarding.submitted"] });
    expect(status).toBe(200);
    expect((await update(json.id, { url: `${url}/other`, event_types: ["crb.created"] })).status).toBe(200);
    for (const event_types of [[], ["sales_day.flagged"]])
      expect(await update(json.id, { event_types })).toMatchObject(rejected);
  });

  test("that send them get no other address or types, but may be disabled", async () => {
    const { create, update, secret } = await given();
    const { json } = await create({}, secret);
    expect(await update(json.id, { url: `${url}/vendor` })).toMatchObject(rejected);
    expect((await update(json.id, { enabled: false })).status).toBe(200);
  });
});
