import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { afterEach, describe, expect, test, vi } from "vitest";
import { handler as updateCrbInfo } from "../../functions/crbs/updateCrbInfo.ts";
import { handler as listCustomers } from "../../functions/customers/listCustomers.ts";
import { handler as getDocument } from "../../functions/documents/getDocument.ts";
import { handler as listDocuments } from "../../functions/documents/listDocuments.ts";
import { handler as listInventory } from "../../functions/inventory/listInventory.ts";
import { handler as listLocationInventory } from "../../functions/inventory/listLocationInventory.ts";
import { handler as listSales } from "../../functions/sales/listSales.ts";
import { handler as listServiceProviderCrbs } from "../../functions/serviceProviders/listServiceProviderCrbs.ts";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { crbScopes, serviceProviderScopes } from "../../shared/auth/scopes.ts";
import { issueToken } from "../../shared/auth/tokens.ts";
import { type ListOrder, locationInventoryList, recordKey, recordList } from "../../shared/store/keys/orderedLists.ts";
import { type DayCounts, dayIndexItem } from "../../shared/store/orderedList/dayIndex.ts";
import { countReadUnits } from "../readUnits.ts";
import { requestEvent, type TestRequest, testContext } from "../requestEvent.ts";
import { newWriter, recordId, recordToWrite, setFence, TestClock } from "../shared/store/orderedList/listUnderTest.ts";
import { useTestBucket } from "../useTestBucket.ts";
import { useTestTable } from "../useTestTable.ts";
import { givenServiceProvider } from "./callHandler.ts";
import { givenOnboarding } from "./onboarding/givenOnboarding.ts";

const table = useTestTable();
useTestBucket();
afterEach(() => void vi.unstubAllEnvs());

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Reads with the given tag, if any, as If-None-Match. */
function reader(handler: Handler, request: TestRequest) {
  return async (ifNoneMatch?: string) => {
    const headers = ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch };
    const answer = await handler(requestEvent({ ...request, headers }), testContext);
    return { status: answer.statusCode, tag: answer.headers?.ETag as string | undefined, text: answer.body };
  };
}

describe("a poll of an unchanged list of 100,000 records, of", () => {
  const days = 365;
  const perDay = 274;
  const id = recordId(1);
  let units: ReturnType<typeof countReadUnits> | undefined;

  /**
   * Stores the day indexes of a year in which records were written every day and left a third of their sequence numbers empty.
   */
  async function storeDayIndexes(order: ListOrder): Promise<void> {
    const all = Array.from({ length: days }, (_, i) => {
      const day = new Date(Date.UTC(2025, 6, 1 + i)).toISOString().slice(0, 10);
      const empty = 100 + ((i * 37) % 73);
      return [day, { allocated: perDay + empty, active: perDay }] as [string, DayCounts];
    });
    // The newest record is stored, on a later day.
    all.push(["2026-07-01", { allocated: 1, active: 1 }]);
    for (const year of ["2025", "2026"]) {
      const ofYear = new Map(all.filter(([day]) => day.startsWith(year)));
      const others = year === "2026" ? { 2025: 100_000 } : undefined;
      const dayIndex = { year, version: 100_000, changedAt: 1_600_000_000_000, days: ofYear, others };
      await table().put(dayIndexItem(order, dayIndex));
    }
  }

  async function given() {
    const { spId, crbId, clientId } = await givenServiceProvider(table());
    const location = recordId(7);
    const lists = {
      ...Object.fromEntries(
        (["customer", "sale", "inventory", "product"] as const).map((kind) => [kind, recordList(crbId, kind)]),
      ),
      location: locationInventoryList(crbId, location),
    };
    for (const list of Object.values(lists)) {
      const rank = "2026-07-01#00000000";
      await table().put({ ...recordKey(list, id), rank, saleRank: rank, body: JSON.stringify({ id }) });
      for (const order of Object.values(list.orders)) await storeDayIndexes(order);
    }
    await table().put({ ...recordKey(recordList(crbId, "location"), location), body: "{}" });
    const owner = { kind: "serviceProvider" as const, id: spId };
    const principal = { clientId, owner, spId, scopes: serviceProviderScopes };
    const { access_token } = await issueToken(table(), principal, serviceProviderScopes);
    return { crbId, spId, location, access_token };
  }

  /** Read units of the consistent read of a token, its credential, the association, and whether the CRB is restored. */
  const authorization = 4;

  test.each<[string, Handler, string, Record<string, string>]>([
    ["customers", listCustomers, "/customers", {}],
    ["customers of a window", listCustomers, "/customers", { last_updated_from: "2025-07-01" }],
    ["sales", listSales, "/sales", {}],
    ["sales by their day", listSales, "/sales", { start_date: "2025-07-01" }],
    ["sales to a customer", listSales, "/sales", { customer_id: id }],
    ["inventory", listInventory, "/inventory", {}],
    ["inventory with products", listInventory, "/inventory", { expand: "true" }],
    ["inventory of a location", listLocationInventory, "/inventory-locations/{location_id}/inventory", {}],
  ])(
    "%s, costs at most one and a half read units in addition to the authorization",
    async (_, handler, resource, query) => {
      const { crbId, spId, location, access_token } = await given();
      const read = reader(handler, {
        resource: `/service-providers/{sp_id}/crbs/{crb_id}${resource}`,
        path: { sp_id: spId, crb_id: crbId, location_id: location },
        query: Object.fromEntries(Object.entries({ limit: "1", ...query }).map(([name, value]) => [name, [value]])),
        authorization: access_token,
      });
      const first = await read();
      expect(first.status).toBe(200);
      // Only the day index counts this many records; the sales of a customer are counted by those found.
      if (!("customer_id" in query)) expect(JSON.parse(first.text).metadata.total).toBeGreaterThan(100_000);
      units ??= countReadUnits(table());
      const before = units();
      expect(await read(first.tag)).toMatchObject({ status: 304, tag: first.tag, text: "" });
      expect(units() - before).toBeGreaterThan(authorization);
      expect(units() - before).toBeLessThanOrEqual(authorization + 1.5);
    },
  );
});

describe("a list that has just changed", () => {
  const given = async () => {
    const { crbId, spId, secret } = await givenServiceProvider(table());
    const list = recordList(crbId, "customer");
    const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
    await setFence(table(), fence.key, 1);
    const write = (content: number, ago: number) => {
      const clock = new TestClock(new Date(Date.now() - ago * 1_000).toISOString());
      return newWriter(table(), list, { fence, clock }).write([recordToWrite(1, content)]);
    };
    const read = reader(listCustomers, {
      resource: "/service-providers/{sp_id}/crbs/{crb_id}/customers",
      path: { sp_id: spId, crb_id: crbId },
      authorization: secret,
    });
    return { write, read };
  };

  test("has no tag for a minute and a half, and is returned in full whichever tag the caller sends", async () => {
    const { write, read } = await given();
    await write(0, 120);
    const { tag } = await read();
    expect(tag).toBeDefined();
    expect((await read(tag)).status).toBe(304);
    await write(1, 89);
    for (const held of [undefined, tag, "*"]) {
      const text = expect.stringContaining('"content":1');
      expect(await read(held)).toEqual({ status: 200, tag: undefined, text });
    }
    await write(2, 91);
    const later = await read(tag);
    expect(later.status).toBe(200);
    expect(later.tag).not.toBe(tag);
    expect(JSON.parse(later.text).data[0].content).toBe(2);
    expect((await read(later.tag)).status).toBe(304);
  });

  test("has a tag at once if its stage is set so", async () => {
    const { write, read } = await given();
    vi.stubEnv("ETAG_SETTLE_SECONDS", "0");
    await write(0, 0);
    const { tag } = await read();
    expect((await read(tag)).status).toBe(304);
    await write(1, 0);
    const changed = await read(tag);
    expect(changed.status).toBe(200);
    expect(changed.tag).toBeDefined();
    expect(changed.tag).not.toBe(tag);
    // The clock of the writer does not matter.
    await write(2, -60);
    expect((await read()).tag).toBeDefined();
  });

  test("has no tag if the setting is no number", async () => {
    const { write, read } = await given();
    vi.stubEnv("ETAG_SETTLE_SECONDS", "soon");
    await write(0, 120);
    expect((await read()).tag).toBeUndefined();
  });
});

test("a second change of a CRB on the same day gives the list of CRBs another tag", async () => {
  vi.stubEnv("ETAG_SETTLE_SECONDS", "0");
  const { crbId, spId, secret, call } = await givenServiceProvider(table());
  const read = reader(listServiceProviderCrbs, {
    resource: "/service-providers/{sp_id}/crbs",
    path: { sp_id: spId },
    authorization: secret,
  });
  const tags = new Set([(await read()).tag]);
  for (const dba of ["One", "Two"]) {
    const resource = "/service-providers/{sp_id}/crbs/{crb_id}";
    expect(
      (await call(updateCrbInfo, { resource, method: "PUT", path: { crb_id: crbId }, body: { dba } })).status,
    ).toBe(200);
    const { tag, text } = await read([...tags].join(", "));
    expect(JSON.parse(text).data[0].dba).toBe(dba);
    tags.add(tag);
  }
  expect(tags.size).toBe(3);
  expect((await read([...tags].join(", "))).status).toBe(304);
});

test("the deletion of a document changes the tags of document and list, and its review changes neither", async () => {
  vi.stubEnv("ETAG_SETTLE_SECONDS", "0");
  const crb = await givenOnboarding(table());
  const owner = { kind: "crb" as const, id: crb.crbId };
  const { secret: authorization } = await issueCredential(table(), { owner, spId: crb.spId, scopes: crbScopes });
  const { document_id } = (await crb.add()).json;
  const path = { crb_id: crb.crbId, doc_id: document_id };
  const readers = [
    reader(listDocuments, { resource: "/crbs/{crb_id}/documents", path, authorization }),
    reader(getDocument, { resource: "/crbs/{crb_id}/documents/{doc_id}", path, authorization }),
  ];
  const tags = async () => Promise.all(readers.map(async (read) => (await read()).tag));
  const [list, one] = await tags();
  await crb.review(document_id, "approved");
  expect(await tags()).toEqual([list, one]);
  await crb.remove(document_id);
  const after = await Promise.all(readers.map((read) => read(`${list}, ${one}`)));
  expect(after.map(({ status }) => status)).toEqual([200, 200]);
  for (const { text } of after) expect(text).toContain('"deleted":true');
});
