import { createHash, randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { handler as worker } from "../../../functions/exports/worker.ts";
import { type Export, exportRecord } from "../../../shared/api/schemas/export.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { revokeCredentialAndResources } from "../../../shared/domain/crbs/revokeCredentialAndResources.ts";
import { findReceivedExports, recordLinkRecipient } from "../../../shared/domain/exports/linkRecipients.ts";
import { listedUntil } from "../../../shared/domain/exports/storedExport.ts";
import { exportLinksKey } from "../../../shared/store/keys/exports.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { givenExports } from "../../shared/domain/exports/givenExports.ts";
import { interceptCalls, recordId } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { workOff } from "../workOff.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
const sent = useQueues();

const body = { kinds: ["sales"], format: "ndjson" };

/** A business with sales, and calls of the operations on its exports. */
async function given() {
  const business = await givenExports(table());
  const { call } = business;
  await business.write("sale", [1, 2, 3]);
  const create = (more: { body?: object; key?: string; authorization?: string } = {}) =>
    call("createExport", {
      body: more.body ?? body,
      ...(more.key && { headers: { "Idempotency-Key": more.key } }),
      ...(more.authorization && { authorization: more.authorization }),
    });
  const get = (id: string) => call("getExport", { path: { export_id: id } });
  const list = (query = {}) => call("listExports", { query });
  const remove = (id: string) => call("deleteExport", { path: { export_id: id } });
  const work = () => workOff("exports", sent.exports, worker);
  return { ...business, create, get, list, remove, work };
}

test("the deletion of a queued export starts the one that waits for it", async () => {
  const { create, get, remove, work } = await given();
  const [first, second] = [await create(), await create({ body: { ...body, kinds: ["customers"] } })];
  sent.exports.splice(0);
  expect((await remove(first.json.id)).status).toBe(200);
  expect(sent.exports).toMatchObject([{ export_id: second.json.id }]);
  await work();
  expect((await get(second.json.id)).json.status).toBe("ready");
});

test("an export is queued, then ready with files that its links download", async () => {
  const { create, get, list, work, clientId, crbId } = await given();
  const created = await create();
  expect([created.status, created.json]).toEqual([
    200,
    {
      id: expect.any(String),
      crb_id: crbId,
      ...body,
      status: "queued",
      error: null,
      progress: null,
      created_date: expect.any(String),
      created_by: clientId,
      created_by_person: null,
      expires_date: expect.any(String),
      files: [],
      manifest: [],
    },
  ]);
  const { id, created_date, expires_date } = created.json as Export;
  expect(Date.parse(expires_date) - Date.parse(created_date)).toBe(7 * 24 * 3_600_000);
  expect((await get(id)).json).toEqual(created.json);
  await work();

  const { json } = await get(id);
  const ready = exportRecord.parse(json);
  expect(ready).toMatchObject({ status: "ready", progress: { read: 3, total: 3 } });
  expect(ready.manifest).toEqual([
    { kind: "sales", records: 3, digest: expect.any(String), cursor: expect.any(String), data_as_of: null },
  ]);
  const [file = expect.fail("no file")] = ready.files;
  const content = Buffer.from(await (await fetch(file.download_link ?? "")).arrayBuffer());
  expect([file.records, file.bytes]).toEqual([3, content.length]);
  expect(file.sha256).toBe(createHash("sha256").update(content).digest("hex"));
  const ids = gunzipSync(content).toString().trim().split("\n");
  expect(ids.map((line) => JSON.parse(line).id)).toEqual([1, 2, 3].map(recordId));
  const listed = (await list()).json.data as Export[];
  expect(listed).toEqual([{ ...ready, files: [{ ...file, download_link: null, expires_date: null }] }]);
});

test("exports are listed newest first and page by page, also ended ones", async () => {
  const { create, list, remove, get } = await given();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await create()).json.id);
  const removed = await remove(ids[1] ?? "");
  expect([removed.status, removed.json.status]).toEqual([200, "deleted"]);
  expect((await get(ids[1] ?? "")).json).toEqual(removed.json);
  const { json } = await list();
  expect(json.metadata).toEqual({ total: 3, count: "1 - 3" });
  const dates = json.data.map(({ created_date }: Export) => created_date);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(json.data.map(({ id }: Export) => id).sort()).toEqual([...ids].sort());
  const page = await list({ limit: 1, offset: 1 });
  expect(page.json).toEqual({ metadata: { total: 3, count: "2 - 2" }, data: [json.data[1]] });
  for (const call of [get, remove]) expect((await call(randomUUID())).status).toBe(404);
});

describe("an Idempotency-Key", () => {
  test("returns the same export in its present state, also for requests at once and in another order", async () => {
    const { create, work, list } = await given();
    const both = { kinds: ["sales", "products"], format: "ndjson" };
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => create({ key, body: both })));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    await work();
    const again = await create({ key, body: { ...both, kinds: ["products", "sales"] } });
    expect(again.json).toMatchObject({ id: answers[0]?.json.id, status: "ready" });
    expect((await list()).json.metadata.total).toBe(1);
  });

  test("gets 422 with another body", async () => {
    const { create } = await given();
    const key = randomUUID();
    await create({ key });
    const other = await create({ key, body: { ...body, format: "parquet" } });
    expect(other.status).toBe(422);
    expect(Object.keys(other.json.fields)).toEqual(["header.idempotency-key"]);
  });
});

test("a CRB has at most five live exports, even if more are requested at once", async () => {
  const { create, remove, list } = await given();
  const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
  const rejected = answers.find(({ status }) => status === 409);
  expect(rejected?.json.message).toBe("The CRB has 5 live exports, the maximum. Delete one of them.");
  const [first] = (await list()).json.data as Export[];
  await remove(first?.id ?? "");
  expect([(await create()).status, (await create()).status]).toEqual([200, 409]);
});

test.each([
  [{ ...body, kinds: [] }, "body.kinds"],
  [{ ...body, kinds: ["sales", "sales"] }, "body.kinds"],
  [{ ...body, kinds: ["documents"] }, "body.kinds.0"],
  [{ ...body, format: "csv" }, "body.format"],
  [{ kinds: ["sales"] }, "body.format"],
])("%o gets 422 on %s", async (sentBody, field) => {
  const { create } = await given();
  const { status, json } = await create({ body: sentBody });
  expect([status, Object.keys(json.fields)]).toEqual([422, [field]]);
});

describe("links that a credential received", () => {
  test("end with its revocation, also to an export of another credential, and no other export ends", async () => {
    const business = await given();
    const { call, create, get, work, stores } = business;
    const [read, unread] = [(await create()).json.id, (await create()).json.id];
    await work();
    const thief = await business.another(["point-of-sale:read"]);
    const steal = () => call("getExport", { path: { export_id: read }, authorization: thief.secret });
    const links = [await steal(), await steal()].map(({ json }) => json.files[0].download_link as string);
    const statuses = () => Promise.all(links.map(async (link) => (await fetch(link)).status));
    expect(await statuses()).toEqual([200, 200]);
    const { made } = await revokeCredentialAndResources(stores, thief.client_id, {
      keepIssued: false,
      keepMade: false,
    });
    expect(made.exports).toMatchObject([{ id: read, isCreated: false }]);
    expect(await statuses()).toEqual([404, 404]);
    expect([(await get(read)).json.status, (await get(unread)).json.status]).toEqual(["deleted", "ready"]);
  });

  test("stay for ten minutes at most if its revocation keeps them", async () => {
    const business = await given();
    const { call, create, get, work, stores } = business;
    const { id } = (await create()).json;
    await work();
    const thief = await business.another(["point-of-sale:read"]);
    const { json } = await call("getExport", { path: { export_id: id }, authorization: thief.secret });
    await revokeCredentialAndResources(stores, thief.client_id, { keepIssued: false, keepMade: true });
    expect((await get(id)).json.status).toBe("ready");
    const life = Date.parse(json.files[0].expires_date) - Date.now();
    expect(life).toBeLessThanOrEqual(600_000);
  });

  test("are not signed if its revocation overtakes the request", async () => {
    const business = await given();
    const { create, read, work } = business;
    const { id } = (await create()).json;
    await work();
    const { client_id } = await business.another(["point-of-sale:read"]);
    await revokeCredential(table(), client_id);
    await expect(recordLinkRecipient(table(), { clientId: client_id }, await read(id))).rejects.toMatchObject({
      kind: "unauthorized",
    });
    expect(await findReceivedExports(table(), new Set([client_id]))).toEqual(new Set());
  });

  test("are recorded once, until the export is no longer listed", async () => {
    const { create, get, read, work, clientId } = await given();
    const { id } = (await create()).json;
    await get(id);
    expect(await findReceivedExports(table(), new Set([clientId]))).toEqual(new Set());
    await work();
    for (const _ of ["first", "second"]) await get(id);
    const items = await table().queryPartition(exportLinksKey(clientId, "").pk, { consistent: true });
    expect(items).toMatchObject([{ sk: id, expires: listedUntil(await read(id)) }]);
  });
});

test("a creation that meets changes of other requests in every attempt gets 409, and the next one succeeds", async () => {
  const { create } = await given();
  const pauses = vi.spyOn(systemClock, "sleep").mockResolvedValue();
  onTestFinished(() => pauses.mockRestore());
  const calls = interceptCalls(table());
  calls.before = (command) => {
    if (command !== "TransactWriteItemsCommand") return;
    const CancellationReasons = [{ Code: "TransactionConflict" }];
    throw new TransactionCanceledException({ message: "conflict", $metadata: {}, CancellationReasons });
  };
  const { status, json } = await create();
  expect([status, json.code]).toEqual([409, "concurrent_changes"]);
  expect(json.message).not.toContain("cannot be reached");
  calls.before = () => undefined;
  expect((await create()).status).toBe(200);
});
