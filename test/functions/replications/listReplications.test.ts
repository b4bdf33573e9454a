import { beforeAll, expect, test, vi } from "vitest";
import { kindsByName, recordKinds } from "../../../shared/api/kinds.ts";
import { listReplications } from "../../../shared/api/operations/replications.ts";
import type { Replication } from "../../../shared/api/schemas/replication.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import type { Connector } from "../../../shared/pos/connector.ts";
import { sandboxConnector } from "../../../shared/pos/sandbox/sandboxConnector.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { packDays } from "../../../shared/store/orderedList/dayIndex.ts";
import { costOf } from "../../bench/capacity.ts";
import { testConnection } from "../../shared/pos/sandbox/testConnection.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenCrb } from "../callHandler.ts";
import { digestOf } from "../digestOf.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
beforeAll(() => {
  vi.stubEnv("REPLICATE_EVERY_SECONDS", JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, 600]))));
});

/** A CRB whose five lists a worker has filled and then changed. */
async function givenReplicated() {
  const { crbId, call } = await givenCrb(table());
  const connection = { ...testConnection, crbId };
  const sandbox = sandboxConnector(3_600);
  let run = 0;
  /** Returns only some records, always from the beginning. Customers move in every run. */
  const pos: Connector = {
    ...sandbox,
    async pull(of, request) {
      const page = await sandbox.pull(of, { ...request, since: null, position: null });
      const next = { watermark: request.now.toISOString() };
      const records = page.records.slice(0, 30).map((one) => ("city" in one ? { ...one, city: `City ${run}` } : one));
      return { ...page, records, next, complete: false };
    },
  };
  const clock = new TestClock("2026-03-01T06:00:00.000Z");
  for (run = 0; run < 3; run++) {
    for (const kind of recordKinds) {
      expect((await replicate(table(), connection, pos, kind, { clock })).outcome).toBe("finished");
    }
    clock.advance(30 * 3_600_000);
  }
  const replications = async (): Promise<Replication[]> => (await call("listReplications")).json.data;
  return { call, replications };
}

test("the digest of each kind is that of a copy which follows the changes to their end", async () => {
  const { call, replications } = await givenReplicated();
  const names = Object.keys(kindsByName);
  const stored = await replications();
  expect(stored.map(({ kind }) => kind).sort()).toEqual([...names].sort());
  let changed = 0;
  for (const { kind, digest, records } of stored) {
    const copy = new Map<string, { id: string; svc_created_date: string; svc_updated_date?: string }>();
    for (let cursor: string | undefined, more = true; more; ) {
      const { json } = await call("listChanges", { path: { kind }, query: { limit: 7, cursor } });
      for (const record of json.data) copy.set(record.id, record);
      [cursor, more] = [json.cursor, json.has_more];
    }
    expect(copy.size, kind).toBe(records);
    expect(records, kind).toBeGreaterThan(0);
    expect(digest, kind).toBe(digestOf(copy.values()));
    changed += [...copy.values()].filter((one) => (one.svc_updated_date ?? "") > one.svc_created_date).length;
  }
  expect(changed).toBe(30);
});

test("a list without a digest has none, and an empty list has the digest of no records", async () => {
  const { crbId, call } = await givenCrb(table());
  const { dayIndexPartition } = recordList(crbId, "product").orders.rank;
  const index = { version: 1, changed: 0, days: packDays(new Map()), others: {} };
  await table().put({ pk: dayIndexPartition, sk: "2026", ...index });
  const { json } = await call("listReplications");
  const digests = new Map(json.data.map(({ kind, digest }: Replication) => [kind, digest]));
  expect(digests.get("products")).toBeNull();
  expect(digests.get("sales")).toBe("0".repeat(64));
});

test("the replications of all kinds need one round trip after the authorization", async () => {
  const { call } = await givenCrb(table());
  const get = () => call("listReplications");
  const { result, roundTrips } = await costOf(table().client, get);
  expect(result.status).toBe(200);
  expect(listReplications.success.schema.parse(result.json)).toEqual(result.json);
  expect(result.json.metadata).toEqual({ total: 5, count: "1 - 5" });
  expect(roundTrips).toBe(2);
});
