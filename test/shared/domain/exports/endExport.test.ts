import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { eraseCustomerAndExports } from "../../../../shared/domain/crbs/eraseCustomerAndExports.ts";
import { purgeCrb } from "../../../../shared/domain/crbs/purge/purgeCrb.ts";
import { revokeCredentialAndResources } from "../../../../shared/domain/crbs/revokeCredentialAndResources.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { exportPrefix } from "../../../../shared/domain/documents/objectPrefixes.ts";
import { listVersions } from "../../../../shared/domain/documents/objectVersions.ts";
import { endExport } from "../../../../shared/domain/exports/endExport.ts";
import { sweepExports } from "../../../../shared/domain/exports/sweepExports.ts";
import { exportDuePartition, exportKey } from "../../../../shared/store/keys/exports.ts";
import { dyingStores } from "../../../dyingStores.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { crashStep } from "../../store/crashInjection.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { givenExports } from "./givenExports.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket({ versioned: true });
const sent = useQueues();
beforeAll(() => vi.stubEnv("POS_CONNECTORS", "sandbox"));
afterAll(() => vi.unstubAllEnvs());

const day = 24 * 3_600_000;
const reason = (why: "requested" | "erasure") => ({ status: "deleted", reason: why }) as const;

/** A business with a ready export of two files. */
async function givenReady() {
  const given = await givenExports(table());
  const { write, create, run, read, crbId } = given;
  await write("sale", [1, 2, 3, 4, 5]);
  const { id } = await create();
  expect(await run(id, { limits: { maxRecords: 3 } })).toMatchObject({ outcome: "ready" });
  const keys = (await read(id)).parts.map(({ storage_key }) => storage_key);
  expect(keys).toHaveLength(2);
  const objects = async () => (await serviceBucket().list(exportPrefix(crbId))).map(({ key }) => key);
  expect((await objects()).sort()).toEqual(keys.sort());
  const due = async () =>
    (await table().queryPartition(exportDuePartition, { consistent: true })).filter(({ sk }) => sk.includes(id));
  return { ...given, id, objects, due };
}

test("a deleted export has no files, and its links show nothing any more", async () => {
  const { id, crbId, stores, objects, due, read, clock } = await givenReady();
  const [key = ""] = await objects();
  const { link } = await serviceBucket().signDownload(key, "sales-1.ndjson.gz");
  expect((await fetch(link)).status).toBe(200);
  const ended = await endExport(stores, crbId, id, reason("requested"), clock);
  expect(ended).toMatchObject({ status: "deleted", parts: [] });
  expect((await fetch(link)).status).toBe(404);
  expect([await objects(), await due()]).toEqual([[], []]);
  expect(await endExport(stores, crbId, id, reason("erasure"), clock)).toEqual(await read(id));
  expect(await endExport(stores, crbId, randomUUID(), reason("requested"), clock)).toBeUndefined();
});

test("a deletion that is killed at any call is finished by the sweeper", async () => {
  let isDone = false;
  for (let at = 1; !isDone; at += crashStep) {
    const { id, crbId, objects, due, read, clock } = await givenReady();
    const killed = dyingStores(table(), at);
    isDone = await endExport(killed, crbId, id, reason("requested"), clock).then(
      () => true,
      () => false,
    );
    clock.advance(8 * day);
    await sweepExports({ table: table(), bucket: serviceBucket() }, clock);
    expect(["deleted", "expired"]).toContain((await read(id)).status);
    expect([await objects(), await due()]).toEqual([[], []]);
  }
});

test("an export that ends while its worker runs stores nothing more", async () => {
  const { write, create, run, read, stores, crbId, clock } = await givenExports(table());
  await write("sale", [1, 2, 3, 4, 5]);
  const { id } = await create();
  const slow = testTableOf(table());
  const calls = interceptCalls(slow);
  let puts = 0;
  calls.before = async (command) => {
    if (command === "PutItemCommand" && ++puts === 2) await endExport(stores, crbId, id, reason("requested"), clock);
  };
  expect(await run(id, { limits: { maxRecords: 2 } }, { ...stores, table: slow })).toEqual({
    outcome: "skipped",
    records: 2,
  });
  expect(await read(id)).toMatchObject({ status: "deleted", parts: [] });
  expect(await serviceBucket().list(exportPrefix(crbId))).toEqual([]);
});

describe("the sweeper", () => {
  const sweep = async ({ clock, stores }: Awaited<ReturnType<typeof givenReady>>) => sweepExports(stores, clock);

  test("keeps a ready export for seven days", async () => {
    const given = await givenReady();
    given.clock.advance(7 * day - 60_000);
    await sweep(given);
    expect(await given.read(given.id)).toMatchObject({ status: "ready" });
    given.clock.advance(60_000);
    await sweep(given);
    expect(await given.read(given.id)).toMatchObject({ status: "expired", parts: [] });
    expect([await given.objects(), await given.due()]).toEqual([[], []]);
  });

  test("queues an export again whose message was lost or whose worker was killed, and ends it after a day", async () => {
    const { create, read, crbId, stores, clock, run, write } = await givenExports(table());
    await write("sale", [1, 2]);
    const { id } = await create();
    const messages = () => sent.exports.filter((message) => (message as { export_id: string }).export_id === id);
    await sweepExports(stores, clock);
    expect(messages()).toEqual([]);
    clock.advance(120_000);
    await sweepExports(stores, clock);
    expect(messages()).toEqual([{ crb_id: crbId, export_id: id, version: 1 }]);
    const dying = testTableOf(table());
    interceptCalls(dying).before = (command) => {
      if (command === "QueryCommand") throw new Error("killed");
    };
    await run(id, {}, { ...stores, table: dying });
    await sweepExports(stores, clock);
    expect(messages()).toHaveLength(1);
    clock.advance(60_000);
    await sweepExports(stores, clock);
    expect(messages()).toHaveLength(2);
    clock.advance(day);
    await sweepExports(stores, clock);
    expect(await read(id)).toMatchObject({ status: "failed", error: "too_slow" });
  });
});

test("an erasure deletes the exports that may hold the customer, also a running one, and no others", async () => {
  const given = await givenReady();
  const { create, run, read, stores, crbId, clock, id } = given;
  const products = await create(["products"]);
  await run(products.id);
  const waiting = await create(["customers"]);
  await eraseCustomerAndExports(stores, crbId, randomUUID(), clock);
  expect(await read(id)).toMatchObject({ status: "deleted", parts: [] });
  expect(await read(waiting.id)).toMatchObject({ status: "deleted" });
  const { status, parts } = await read(products.id);
  expect(status).toBe("ready");
  expect(await given.objects()).toEqual(parts.map(({ storage_key }) => storage_key));
});

test("the revocation of a credential deletes the exports that it created", async () => {
  const { id, read, stores, clientId, clock, objects } = await givenReady();
  const { made } = await revokeCredentialAndResources(stores, clientId, { keepIssued: false, keepMade: false }, clock);
  expect(made.exports.map((one) => one.id)).toEqual([id]);
  expect(await read(id)).toMatchObject({ status: "deleted", parts: [] });
  expect(await objects()).toEqual([]);
});

test("the end of the association deletes all exports, and a purge leaves nothing of them", async () => {
  const { id, create, read, stores, crbId, clock, objects } = await givenReady();
  await endAssociation(table(), serviceBucket(), crbId, clock);
  expect(await read(id)).toMatchObject({ status: "deleted", parts: [] });
  expect(await objects()).toEqual([]);
  await expect(create()).rejects.toMatchObject({ kind: "notFound" });

  await serviceBucket().storeBytes(`${exportPrefix(crbId)}${id}/sales-1-orphan.parquet`, Buffer.from("left"));
  clock.advance(3_600_000);
  expect(await purgeCrb(table(), stores.bucket, crbId, { clock })).toMatchObject({ outcome: "purged" });
  expect(await listVersions(serviceBucket(), exportPrefix(crbId))).toEqual([]);
  expect(await table().queryPartition(exportKey(crbId, "").pk, { consistent: true })).toEqual([]);
  const due = await table().queryPartition(exportDuePartition, { consistent: true });
  expect(due.filter(({ sk }) => sk.includes(crbId))).toEqual([]);
});
