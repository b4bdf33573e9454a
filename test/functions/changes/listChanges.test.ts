import { beforeAll, expect, test } from "vitest";
import { kindsByName } from "../../../shared/api/kinds.ts";
import { isTagged } from "../../../shared/api/operation.ts";
import { listChanges } from "../../../shared/api/operations/changes.ts";
import { changes } from "../../../shared/http/changesResponse.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import {
  interceptCalls,
  newWriter,
  recordId,
  recordToWrite,
  setFence,
} from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenCrb } from "../callHandler.ts";

const table = useTestTable();
let crb: Awaited<ReturnType<typeof givenCrb>>;
beforeAll(async () => {
  crb = await givenCrb(table());
});

async function get(kind: string, query: Record<string, string> = {}) {
  return crb.call("listChanges", {
    path: { kind },
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
  });
}

async function write(kind: keyof typeof kindsByName, records: ReturnType<typeof recordToWrite>[]): Promise<void> {
  const key = { pk: `LEASE ${crb.crbId} ${kind}`, sk: "LEASE" };
  await setFence(table(), key, 1);
  const options = { fence: { key, number: 1 }, extractSaleDay: () => "2026-03-01" };
  await newWriter(table(), recordList(crb.crbId, kindsByName[kind]), options).write(records);
}

test("each kind has its own changes, at the name of its list", async () => {
  const kinds = Object.keys(kindsByName) as (keyof typeof kindsByName)[];
  for (const [i, kind] of kinds.entries()) await write(kind, [recordToWrite(i, 0)]);
  const answers = await Promise.all(kinds.map((kind) => get(kind)));
  expect(answers.map(({ status, json }) => [status, json.data.map(({ id }: { id: string }) => id)])).toEqual(
    kinds.map((_, i) => [200, [recordId(i)]]),
  );
  for (const { json } of answers) expect(Object.keys(json)).toEqual(["data", "cursor", "has_more"]);
});

test("a poll without new changes costs one query after the authorization", async () => {
  const { json } = await get("products");
  const calls: string[] = [];
  interceptCalls(table()).before = (command) => void calls.push(command);
  const again = await get("products", { cursor: json.cursor });
  expect(again).toMatchObject({ status: 200, json: { data: [], cursor: json.cursor, has_more: false } });
  expect(calls).toEqual(["BatchGetItemCommand", "QueryCommand"]);
});

test("a cursor of another kind or of another CRB gets 422", async () => {
  const { json } = await get("products");
  const other = await givenCrb(table());
  const refused = [
    await get("sales", { cursor: json.cursor }),
    await other.call("listChanges", { path: { kind: "products" }, query: { cursor: [json.cursor] } }),
  ];
  for (const { status, json: error } of refused) {
    expect(status).toBe(422);
    expect(error.fields).toEqual({
      "query.cursor": {
        message: "must be a cursor from this list of changes; without one, the list begins with the oldest change",
        value: json.cursor,
      },
    });
  }
});

test("a page of large records ends before the platform's limit and never fails", async () => {
  const large = Array.from({ length: 14 }, (_, i) => {
    const record = recordToWrite(100 + i, 0);
    return { ...record, content: { ...record.content, text: `"`.repeat(150_000) } };
  });
  await write("customers", large);
  const names: number[] = [];
  const pages: number[] = [];
  for (let page = { cursor: "", has_more: true }; page.has_more; ) {
    const { status, json } = await get("customers", page.cursor ? { cursor: page.cursor } : {});
    expect(status).toBe(200);
    const answer = JSON.stringify({ statusCode: 200, body: JSON.stringify(json) });
    expect(answer.length).toBeLessThan(6_291_556);
    names.push(...json.data.map(({ name }: { name: number }) => name));
    pages.push(json.data.length);
    page = json;
  }
  expect(names.filter((name) => name >= 100)).toEqual(large.map(({ content }) => content.name));
  expect(Math.max(...pages)).toBeGreaterThan(5);
  expect(Math.max(...pages)).toBeLessThan(14);
});

test("a response that lacks stored changes has has_more and Retry-After", async () => {
  const late = { places: [], hasMore: true, isReset: false, generation: undefined, createCursorAfter: () => "c" };
  const answer = changes(late);
  expect(answer.headers).toEqual({ "Retry-After": "1" });
  expect(JSON.parse((await answer.body()).text)).toEqual({ data: [], cursor: "c", has_more: true });
  expect(changes({ ...late, hasMore: false, isReset: true }).headers).toBeUndefined();
  expect(isTagged(listChanges, listChanges.routes[0])).toBe(true);
});
