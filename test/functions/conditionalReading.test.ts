import { afterEach, describe, expect, test, vi } from "vitest";
import { type ListOrder, locationInventoryList, recordKey, recordList } from "../../shared/store/keys/orderedLists.ts";
import { type DayCounts, dayIndexItem } from "../../shared/store/orderedList/dayIndex.ts";
import { countReadUnits } from "../readUnits.ts";
import { newWriter, recordId, recordToWrite, setFence, TestClock } from "../shared/store/orderedList/listUnderTest.ts";
import { useTestBucket } from "../useTestBucket.ts";
import { useTestTable } from "../useTestTable.ts";
import { givenServiceProvider, type OperationId, type OperationRequest } from "./callHandler.ts";
import { givenOnboarding } from "./onboarding/givenOnboarding.ts";

const table = useTestTable();
useTestBucket();
afterEach(() => void vi.unstubAllEnvs());

type Caller = Pick<Awaited<ReturnType<typeof givenServiceProvider>>, "call">;

/** Reads with the given tag, if any, as If-None-Match. */
function reader({ call }: Caller, operationId: OperationId, request: OperationRequest = {}) {
  return async (ifNoneMatch?: string) => {
    const headers = ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch };
    const { status, headers: answered, text } = await call(operationId, { ...request, headers });
    return { status, tag: answered?.ETag as string | undefined, text };
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
    const provider = await givenServiceProvider(table());
    const { crbId } = provider;
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
    return { provider, location };
  }

  /** Read units of the consistent read of a token, its credential, the association, and whether the CRB is restored. */
  const ofAuthorization = 4;

  test.each<[string, OperationId, Record<string, string>]>([
    ["customers", "listCrbCustomers", {}],
    ["customers of a window", "listCrbCustomers", { last_updated_from: "2025-07-01" }],
    ["sales", "listCrbSales", {}],
    ["sales by their day", "listCrbSales", { start_date: "2025-07-01" }],
    ["sales to a customer", "listCrbSales", { customer_id: id }],
    ["inventory", "listCrbInventory", {}],
    ["inventory with products", "listCrbInventory", { expand: "true" }],
    ["inventory of a location", "listCrbLocationInventory", {}],
  ])("%s, costs at most one and a half read units in addition to the authorization", async (_, operationId, query) => {
    const { provider, location } = await given();
    const authorization = await provider.tokenOf();
    const path = { location_id: location };
    const read = reader(provider, operationId, { path, query: { limit: 1, ...query }, authorization });
    const first = await read();
    expect(first.status).toBe(200);
    // Only the day index counts this many records; the sales of a customer are counted by those found.
    if (!("customer_id" in query)) expect(JSON.parse(first.text).metadata.total).toBeGreaterThan(100_000);
    units ??= countReadUnits(table());
    const before = units();
    expect(await read(first.tag)).toMatchObject({ status: 304, tag: first.tag, text: "" });
    expect(units() - before).toBeGreaterThan(ofAuthorization);
    expect(units() - before).toBeLessThanOrEqual(ofAuthorization + 1.5);
  });
});

describe("a list that has just changed", () => {
  const given = async () => {
    const provider = await givenServiceProvider(table());
    const list = recordList(provider.crbId, "customer");
    const fence = { key: { pk: "LEASE", sk: provider.crbId }, number: 1 };
    await setFence(table(), fence.key, 1);
    const write = (content: number, ago: number) => {
      const clock = new TestClock(new Date(Date.now() - ago * 1_000).toISOString());
      return newWriter(table(), list, { fence, clock }).write([recordToWrite(1, content)]);
    };
    return { write, read: reader(provider, "listCrbCustomers") };
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
  const provider = await givenServiceProvider(table());
  const read = reader(provider, "listServiceProviderCrbs");
  const tags = new Set([(await read()).tag]);
  for (const dba of ["One", "Two"]) {
    expect((await provider.call("updateCrbInfo", { body: { dba } })).status).toBe(200);
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
  const { secret: authorization } = await crb.ofCrb();
  const { document_id } = (await crb.add()).json;
  const read = { path: { doc_id: document_id }, authorization };
  const readers = [reader(crb, "listDocuments", read), reader(crb, "getDocument", read)];
  const tags = async () => Promise.all(readers.map(async (read) => (await read()).tag));
  const [list, one] = await tags();
  await crb.review(document_id, "approved");
  expect(await tags()).toEqual([list, one]);
  await crb.remove(document_id);
  const after = await Promise.all(readers.map((read) => read(`${list}, ${one}`)));
  expect(after.map(({ status }) => status)).toEqual([200, 200]);
  for (const { text } of after) expect(text).toContain('"deleted":true');
});
