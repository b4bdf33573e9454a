import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Statement, statement } from "../../../shared/api/schemas/statement.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { dayCountKey } from "../../../shared/store/keys/key.ts";
import { statementsPartition, storedStatementsKey } from "../../../shared/store/keys/statements.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { useStatementWorker } from "./useStatementWorker.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
const { sent, work } = useStatementWorker();

const body = { start_date: "2026-02-01", end_date: "2026-02-28", format: "json" };

async function given() {
  const business = await givenServiceProvider(table());
  const { call } = business;
  const create = (more: object = {}, key?: string) =>
    call("createStatement", { body: { ...body, ...more }, ...(key && { headers: { "Idempotency-Key": key } }) });
  const get = (id: string) => call("getStatement", { path: { statement_id: id } });
  const list = (query = {}) => call("listStatements", { query });
  const message = async (more: object) => {
    const { status, json } = await create(more);
    return [
      status,
      Object.entries(json.fields ?? {}).map(([name, each]) => [name, (each as { message: string }).message]),
    ];
  };
  return { ...business, create, get, list, message };
}

test("a statement is queued, then ready with a file whose digest is that of the statement", async () => {
  const { create, get, list, crbId, clientId } = await given();
  const { status, json } = await create();
  expect([status, json]).toEqual([
    200,
    {
      ...{ id: expect.any(String), crb_id: crbId, ...body, compare_with: null, status: "queued", error: null },
      ...{ created_date: expect.any(String), created_by: clientId, created_by_person: null },
      ...{ as_of: null, sha256: null, files: [] },
    },
  ]);
  expect((await get(json.id)).json).toEqual(json);
  expect(sent.statements).toEqual([{ crb_id: crbId, statement_id: json.id }]);
  await work();
  const ready = statement.parse((await get(json.id)).json);
  expect(ready.status).toBe("ready");
  const [file = expect.fail()] = ready.files;
  const content = Buffer.from(await (await fetch(file.download_link ?? "")).arrayBuffer());
  const sha256 = createHash("sha256").update(content).digest("hex");
  expect([file.sha256, ready.sha256]).toEqual([sha256, sha256]);
  expect(Date.parse(file.expires_date ?? "") - Date.now()).toBeGreaterThan(3_590_000);
  expect(JSON.parse(content.toString())).toMatchObject({ crb: { id: crbId }, as_of: ready.as_of });
  const listed = { ...ready, files: ready.files.map((each) => ({ ...each, download_link: null, expires_date: null })) };
  expect((await list()).json.data).toEqual([listed]);
});

test("statements are listed newest first, page by page", async () => {
  const { create, list, get } = await given();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await create()).json.id);
  const first = (await list({ limit: 2 })).json;
  expect([first.data.map(({ id }: Statement) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
  const second = (await list({ limit: 2, cursor: first.cursor })).json;
  expect([second.data.map(({ id }: Statement) => id), second.has_more]).toEqual([ids.slice(2), false]);
  expect((await get(randomUUID())).status).toBe(404);
});

test("after the end of the association no caller reads, lists or creates a statement", async () => {
  const { create, get, list, crbId } = await given();
  const { id } = (await create()).json;
  await work();
  await endAssociation(table(), serviceBucket(), crbId);
  const answers = [await get(id), await list(), await create()];
  expect(answers.map(({ status, json }) => [status, json.data])).toEqual(answers.map(() => [404, undefined]));
});

describe("an Idempotency-Key", () => {
  test("returns the same statement in its present state, also for requests at once", async () => {
    const { create, list } = await given();
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => create({}, key)));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    await work();
    expect((await create({}, key)).json).toMatchObject({ id: answers[0]?.json.id, status: "ready" });
    expect((await list()).json.data).toHaveLength(1);
  });

  test("gets 422 with another body", async () => {
    const { create } = await given();
    const key = randomUUID();
    await create({}, key);
    expect((await create({ format: "csv" }, key)).status).toBe(422);
  });
});

describe("the days", () => {
  test("may be 400, and one", async () => {
    const { create } = await given();
    expect((await create({ start_date: "2025-01-25" })).status).toBe(200);
    expect((await create({ start_date: "2026-02-28" })).status).toBe(200);
  });

  test("must not be 401, end before they begin, or lie in the future", async () => {
    const { message } = await given();
    const tooMany = "must be at most 400 days, the first and the last included, after start_date";
    expect(await message({ start_date: "2025-01-24" })).toEqual([422, [["body.end_date", tooMany]]]);
    const order = "must not be before start_date";
    expect(await message({ start_date: "2026-03-01" })).toEqual([422, [["body.end_date", order]]]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const future = "must not be after today in UTC";
    expect(await message({ start_date: tomorrow, end_date: tomorrow })).toEqual([
      422,
      [
        ["body.start_date", future],
        ["body.end_date", future],
      ],
    ]);
  });
});

test("a comparison needs a ready statement of the same days of the same business", async () => {
  const { create, message } = await given();
  const { id } = (await create()).json;
  const not = [422, [["body.compare_with", "must be a ready statement of the same days"]]];
  expect(await message({ compare_with: id })).toEqual(not);
  await work();
  expect(await message({ compare_with: id, end_date: "2026-02-27" })).toEqual(not);
  expect(await message({ compare_with: randomUUID() })).toEqual(not);
  expect(await (await given()).message({ compare_with: id })).toEqual(not);
  expect((await create({ compare_with: id })).json).toMatchObject({ status: "queued", compare_with: id });
});

describe("the limits of a business", () => {
  test("are 20 new statements a UTC day, also by requests at once", async () => {
    const { create, crbId } = await given();
    const day = new Date().toISOString().slice(0, 10);
    await table().put({ ...dayCountKey(statementsPartition(crbId), day), made: 18 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    const { json, headers } = answers.find(({ status }) => status === 429) ?? expect.fail();
    expect(json.code).toBe("statement_day_limit");
    expect(Number(headers?.["Retry-After"])).toBeLessThanOrEqual(86_400);
  });

  test("are 200 statements in all", async () => {
    const { create, crbId } = await given();
    await table().put({ ...storedStatementsKey(crbId), kept: 199 });
    expect((await create()).status).toBe(200);
    const { status, json } = await create();
    expect([status, json.code]).toEqual([409, "statement_limit"]);
  });
});
