import { beforeEach, describe, expect, test } from "vitest";
import type { Insight } from "../../../shared/api/schemas/insight.ts";
import { storeDaySummary } from "../../../shared/domain/insights/daySummary.ts";
import { decideInsight } from "../../../shared/domain/insights/decideInsight.ts";
import { insightWrites, withdraw } from "../../../shared/domain/insights/storedInsight.ts";
import { defaultInsightSettings, type InsightCode } from "../../../shared/insights/insightCodes.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import { crbRecord } from "../../crbRecord.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { raiseInsight } from "./raiseInsight.ts";

const table = useTestTable();
type Given = Awaited<ReturnType<typeof givenServiceProvider>>;
let given: Given;

beforeEach(async () => {
  given = await givenServiceProvider(table());
});

const raise = (code: InsightCode, day: string, crbId = given.crbId) =>
  raiseInsight(table(), { spId: given.spId, crbId }, code, day);

const listAll = (query: Record<string, string[]> = {}) => given.call("listInsights", { query });
const put = (insight_id: string, body: object) => given.call("decideInsight", { path: { insight_id }, body });
const codes = ({ json }: { json: { data: Insight[] } }) =>
  json.data.map(({ code, start_date }) => `${code} ${start_date}`);

describe("the list", () => {
  test("has open insights first, the gravest and the oldest first, on pages by cursor", async () => {
    const last = await raise("no_sales", "2026-03-01");
    await raise("revenue_above_baseline", "2026-03-02");
    await raise("revenue_above_baseline", "2026-03-01");
    const decided = await raise("flagged_sale", "2026-02-01");
    await put(decided.id, { status: "explained", note: "Mistyped.", revision: 1 });
    const expected = [
      "revenue_above_baseline 2026-03-01",
      "revenue_above_baseline 2026-03-02",
      "no_sales 2026-03-01",
      "flagged_sale 2026-02-01",
    ];
    expect(codes(await listAll())).toEqual(expected);
    const pages: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const { json } = await listAll({ limit: ["1"], ...(cursor && { cursor: [cursor] }) });
      pages.push(...codes({ json }));
      [cursor, more] = [json.cursor, json.has_more];
    }
    expect(pages).toEqual(expected);
    expect(codes(await listAll({ status: ["open"] }))).toEqual(expected.slice(0, 3));
    expect(codes(await listAll({ status: ["explained"] }))).toEqual(expected.slice(3));
    expect((await listAll({ status: ["withdrawn"] })).json).toMatchObject({ data: [], has_more: false });
    expect((await listAll()).json.data[2]).toEqual(last);
  });

  test("of one CRB has only its insights, and none of a CRB that is not associated", async () => {
    await raise("no_sales", "2026-03-01");
    const other = "2b1f7a86-52c9-4be0-9f17-c8a60d2e5b43";
    const record = crbRecord(other);
    await createCrb(table(), { record, serviceProviderId: given.spId, connection: null });
    await raise("flagged_sale", "2026-03-02", other);
    expect(codes(await given.call("listCrbInsights", { path: { crb_id: other } }))).toEqual([
      "flagged_sale 2026-03-02",
    ]);
    expect(codes(await listAll({ crb_id: [given.crbId] }))).toEqual(["no_sales 2026-03-01"]);
    expect(codes(await listAll({ crb_id: [given.spId] }))).toEqual([]);
    expect(codes(await listAll())).toHaveLength(2);
  });

  test("of one CRB says since which day its days are judged, and why sales of 28 days could not be checked", async () => {
    const read = async () => {
      return (await given.call("listCrbInsights")).json;
    };
    expect(await read()).toMatchObject({ judged_since: null, sale_checks: null });
    const dayOf = (day: string, unchecked: Record<string, number>) => {
      const profile = { paid: 10, hours: [], amounts: [], regulars: [], cases: [], checks: { retail: 10, unchecked } };
      return [day, { digest: "", profile }] as const;
    };
    const days = new Map([
      dayOf("2026-02-02", { no_sale: 1 }),
      dayOf("2026-02-03", { no_sale: 1, products_unclear: 2 }),
      dayOf("2026-03-02", { products_unclear: 3 }),
    ]);
    const summary = { since: "2026-02-01", days, group: undefined, version: undefined };
    await storeDaySummary(table(), given.crbId, summary);
    expect(await read()).toMatchObject({
      judged_since: "2026-02-01",
      sale_checks: {
        ...{ start_date: "2026-02-03", end_date: "2026-03-02", sales: 20, unchecked: 6 },
        reasons: [
          { reason: "products_unclear", sales: 5 },
          { reason: "no_sale", sales: 1 },
        ],
      },
    });
  });

  test("never leaves its status, also with a cursor of another one", async () => {
    await raise("no_sales", "2026-03-01");
    const decided = await raise("flagged_sale", "2026-02-01");
    await put(decided.id, { status: "explained", note: "Mistyped.", revision: 1 });
    const cursorOf = async (status: string) => (await listAll({ status: [status] })).json.cursor;
    const [open, explained] = [await cursorOf("open"), await cursorOf("explained")];
    expect(codes(await listAll({ status: ["explained"], cursor: [open] }))).toEqual(["flagged_sale 2026-02-01"]);
    expect((await listAll({ status: ["open"], cursor: [explained] })).json).toMatchObject({
      data: [],
      has_more: false,
    });
  });

  test("rejects a cursor of another list", async () => {
    await raise("no_sales", "2026-03-01");
    const { json } = await listAll();
    const path = { crb_id: given.crbId };
    const answer = await given.call("listCrbInsights", { path, query: { cursor: [json.cursor] } });
    expect(answer.status).toBe(422);
  });
});

describe("a decision", () => {
  const body = { status: "explained", note: "The shop had a sale.", revision: 1 };

  test("is kept with its note, and a repeated one changes nothing", async () => {
    const { id } = await raise("no_sales", "2026-03-01");
    const first = await put(id, body);
    const { revision: _, ...decision } = body;
    expect(first).toMatchObject({ status: 200, json: { id, status: "explained", revision: 2 } });
    expect(first.json.history).toEqual([
      { ...decision, date: expect.any(String), decided_by: given.clientId, decided_by_person: null, occurrence: 1 },
    ]);
    expect((await put(id, body)).json).toEqual(first.json);
    expect((await listAll()).json.data).toEqual([first.json]);
  });

  test("of another person with the same words is no repetition", async () => {
    const { id } = await raise("no_sales", "2026-03-01");
    const decide = (sub: string) =>
      decideInsight(
        table(),
        { sp_id: given.spId, insight_id: id },
        { ...body, status: "explained" },
        { clientId: given.clientId, person: { sub, name: sub } },
      );
    const first = await decide("ann");
    expect(await decide("ann")).toEqual(first);
    await expect(decide("bob")).rejects.toMatchObject({ kind: "conflict" });
  });

  test("on another revision than the present one gets 409 with the present one", async () => {
    const { id } = await raise("no_sales", "2026-03-01");
    await put(id, body);
    const again = await put(id, { ...body, note: "Another reason." });
    expect(again).toMatchObject({ status: 409, json: { code: "insight_changed", data: { revision: 2 } } });
  });

  test("on a withdrawn insight gets 409", async () => {
    const insight = await raise("no_sales", "2026-03-01");
    const key = { pk: `CRB#${given.crbId}#INSIGHT`, sk: `2026-03-01#${insight.id}` };
    const { stored, revision } = withdraw({ key, insight }, "2026-03-04T07:00:00.000Z");
    await table().transact(insightWrites(table(), given.spId, stored, revision));
    expect(await put(insight.id, { ...body, revision: 2 })).toMatchObject({
      status: 409,
      json: { code: "insight_withdrawn" },
    });
  });

  test("is one of 50 at most", async () => {
    const { id } = await raise("no_sales", "2026-03-01");
    for (let revision = 1; revision <= 50; revision++) {
      expect((await put(id, { status: "open", note: `Decision ${revision}`, revision })).status).toBe(200);
    }
    const last = await put(id, { ...body, revision: 51 });
    expect(last).toMatchObject({ status: 409, json: { code: "insight_limit" } });
  });

  test.each([
    ["no note", { ...body, note: " " }],
    ["a note of more than 500 characters", { ...body, note: "x".repeat(501) }],
    ["half of a surrogate pair", { ...body, note: "a\ud800b" }],
    ["a note without a visible character", { ...body, note: "\u200b\u2060" }],
    ["a note that reverses its direction", { ...body, note: "a\u202eb" }],
    ["a null character", { ...body, note: "a\u0000" }],
    ["the status withdrawn", { ...body, status: "withdrawn" }],
    ["no revision", { status: "open", note: "x" }],
  ])("with %s gets 422", async (_, wrong) => {
    const { id } = await raise("no_sales", "2026-03-01");
    expect((await put(id, wrong)).status).toBe(422);
  });

  test("takes lines and emojis", async () => {
    const { id } = await raise("no_sales", "2026-03-01");
    const note = "Closed for a holiday:\n\t- the family 👨‍👩‍👧\r\n- and staff";
    expect(await put(id, { ...body, note })).toMatchObject({ status: 200, json: { history: [{ note }] } });
  });

  test("on an insight of another service provider gets 404", async () => {
    const { id } = await raise("no_sales", "2026-03-01");
    given = await givenServiceProvider(table());
    expect((await put(id, body)).status).toBe(404);
  });
});

describe("settings", () => {
  const read = async () => (await given.call("getInsightSettings")).json;
  const write = (body: object) => given.call("setInsightSettings", { body });

  test("are the defaults until they are set, and a code that is missing gets its defaults again", async () => {
    expect(await read()).toEqual(defaultInsightSettings);
    const own = { enabled: false, threshold: 3, minimum_history: 8 };
    const expected = { ...defaultInsightSettings, revenue_above_baseline: own };
    expect((await write({ revenue_above_baseline: own })).json).toEqual(expected);
    expect(await read()).toEqual(expected);
    expect((await write({})).json).toEqual(defaultInsightSettings);
    expect(await read()).toEqual(defaultInsightSettings);
  });

  test.each([
    ["a threshold of a code that has none", { flagged_sale: { enabled: true, threshold: 2, minimum_history: 0 } }],
    ["a comparison with fewer than five CRBs", { peer_outlier: { enabled: true, threshold: 3, minimum_history: 4 } }],
    ["more history than is read", { no_sales: { enabled: true, threshold: 2, minimum_history: 9 } }],
    ["a part of a day", { no_sales: { enabled: true, threshold: 1.5, minimum_history: 6 } }],
    ["an unknown code", { nothing: { enabled: true, threshold: 2, minimum_history: 0 } }],
  ])("with %s get 422", async (_, body) => {
    expect((await write(body)).status).toBe(422);
  });
});
