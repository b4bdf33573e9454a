import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { paymentTypes } from "../../../shared/api/enumerations.ts";
import { listSales as salesOperation } from "../../../shared/api/operations/sales.ts";
import { listSalesDays } from "../../../shared/api/operations/salesDays.ts";
import type { SalesDay } from "../../../shared/api/schemas/salesDay.ts";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import { rebuildLists } from "../../../shared/domain/replication/rebuildLists.ts";
import { changeCrb } from "../../../shared/store/crbs.ts";
import { indexingOptions } from "../../../shared/store/indexingOptions.ts";
import { recordList, salesTotalsPartition } from "../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { packDays } from "../../../shared/store/orderedList/dayIndex.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { digestRecord, emptyDigest, packDigest } from "../../../shared/store/recordDigest.ts";
import { addFigures, type DayFigures, saleFigures } from "../../../shared/store/salesDays/dayFigures.ts";
import {
  emptyWeek,
  loadSalesWeeks,
  mondayOf,
  raiseVersion,
  type SalesWeek,
  setDay,
  totalsOf,
  weekWrite,
} from "../../../shared/store/salesDays/salesWeek.ts";
import { costOf } from "../../bench/capacity.ts";
import { recordId, setFence } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { digestOf } from "../digestOf.ts";

const table = useTestTable();

const [retail = expect.fail(), wholesale = expect.fail()] = salesOperation.success.example.data as unknown as Record<
  string,
  unknown
>[];

/** A sale by the example of the API description. */
const saleOf = (number: number, day: string, changes: object = {}) => {
  const id = recordId(number);
  const content: Record<string, unknown> = { ...retail, id, local_date: `${day} 10:00:00.000`, ...changes };
  return { id, content };
};

/** A business with sales, and calls of its service provider. */
async function givenBusiness() {
  const given = await givenServiceProvider(table());
  const { crbId, call } = given;
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table(), fence.key, 1);
  const writer = new RecordWriter(table(), recordList(crbId, "sale"), { fence, ...indexingOptions.sale });
  const read = (query: Record<string, string> = {}) => call("listCrbSalesDays", { query });
  const days = async (query: Record<string, string> = {}): Promise<SalesDay[]> => (await read(query)).json.data;
  const write = (...sales: ReturnType<typeof saleOf>[]) => writer.write(sales);
  const connect = (posType: "Treez" | "Manual Upload Retail" = "Treez") =>
    changeCrb(table(), crbId, (crb) => ({
      ...crb,
      connection: { posType, locationId: null, connectedAt: "2026-03-01T00:00:00.000Z" },
    }));
  const setState = (
    first_succeeded_at: string | null,
    data_as_of: string | null,
    timezone: string | null = "America/Denver",
  ) => table().put({ ...replicationKey(crbId, "sale"), fence: 1, first_succeeded_at, data_as_of, timezone });
  /** Stores that a day has become complete, as the worker does. */
  const complete = async (day: string, at: string) => {
    const partition = salesTotalsPartition(crbId);
    const monday = mondayOf(day);
    const week = (await loadSalesWeeks(table(), partition, [monday])).get(monday) ?? emptyWeek(monday);
    const totals = totalsOf(week, day);
    const updatedAt = totals.updatedAt || at;
    const next = setDay(raiseVersion(week), day, { ...totals, updatedAt, completedAt: at });
    await table().transact([weekWrite(table(), partition, next)]);
  };
  return { ...given, read, days, write, connect, setState, complete };
}

const noDigest = "0".repeat(64);

test("the examples of sales days are the totals of the example sales", async () => {
  const { days, write, crbId } = await givenBusiness();
  await write({ id: String(retail.id), content: retail }, { id: String(wholesale.id), content: wholesale });
  const stored = await days();
  const examples = listSalesDays.success.example.data;
  expect(stored).toHaveLength(examples.length);
  for (const [i, example] of examples.entries()) {
    const { digest, svc_updated_date, ...totals } = stored[i] ?? expect.fail();
    const times = { data_as_of: null, rules_version: null, complete: false, completed_date: null, revision: 0 };
    const { digest: exampleDigest, svc_updated_date: exampleUpdated, ...expected } = example;
    expect(totals).toEqual({ ...expected, crb_id: crbId, ...times });
    const id = String([retail, wholesale][i]?.id);
    expect(digest).toBe(digestOf([{ id, svc_updated_date }]));
    expect(exampleDigest).toBe(digestOf([{ id, svc_updated_date: exampleUpdated }]));
  }
});

test("a day has the sums of its sales, and both path families return the same bytes", async () => {
  const { crbId, days, read, write, call, ofCrb } = await givenBusiness();
  const card = {
    payments: [
      { type: "credit", amount_paid: 1000 },
      { type: "cash", amount_paid: 3140 },
    ],
  };
  const refund = {
    ...{ transaction_type: "return", subtotal: -1000, total_discounts: 0, tax_paid: -150, total_paid: -1150 },
    ...{ line_items: [], payments: [{ type: "cash", amount_paid: -1150 }] },
  };
  const buyer = { customer: { ...(retail.customer as object), type: "medical" } };
  const unknown = { subtotal: null, transaction_type: null, payments: [], customer: { ...buyer.customer, type: null } };
  await write(
    saleOf(1, "2026-02-10"),
    saleOf(2, "2026-02-10", card),
    saleOf(3, "2026-02-10", { ...refund, ...buyer }),
    saleOf(4, "2026-02-10", { ...unknown, total_paid: 500 }),
    saleOf(5, "2026-02-10", { transaction_type: "adjustment", total_paid: 9999, line_items: [], payments: [] }),
  );
  const [day] = await days();
  expect(listSalesDays.success.schema.parse((await read()).json)).toEqual((await read()).json);
  expect(day).toMatchObject({
    ...{ crb_id: crbId, date: "2026-02-10", timezone: "America/Denver", records: 5 },
    ...{ sales: 2, returns: 1, adjustments: 1, subtotal: 3 * 3600 - 1000, total_discounts: 4 * 400, fees: 0 },
    ...{ tax_paid: 4 * 540 - 150, total_paid: 2 * 4140 - 1150 + 500 + 9999, invoiced: 0, open_balance: 0 },
    by_payment: [
      { type: "cash", count: 3, amount: 4140 + 3140 - 1150 },
      { type: "credit", count: 1, amount: 1000 },
      { type: "unknown", count: 2, amount: 500 + 9999 },
    ],
    by_customer_type: {
      medical: { count: 1, total_paid: -1150 },
      rec: { count: 3, total_paid: 2 * 4140 + 9999 },
      unknown: { count: 1, total_paid: 500 },
    },
    ...{ unknown_amounts: 1, unknown_subtotals: 1, unknown_totals: 0, unknown_paid_amounts: 0 },
  });
  expect(day?.mismatched).toBe(2);
  const order = day?.by_payment.map(({ type }) => paymentTypes.indexOf(type)) ?? [];
  expect(order).toEqual([...order].sort((one, other) => one - other));
  const { secret } = await ofCrb(["point-of-sale:read"]);
  const own = await call("listSalesDays", { authorization: secret });
  expect([own.status, own.text]).toEqual([200, (await read()).text]);
  const sales = await call("listCrbSales", { query: { start_date: ["2026-02-10"], end_date: ["2026-02-10"] } });
  expect(day?.digest).toBe(digestOf(sales.json.data));
});

describe("a window of days", () => {
  let business: Awaited<ReturnType<typeof givenBusiness>>;
  const dates = ["2024-12-31", "2025-12-31", "2026-01-01", "2026-01-04", "2026-01-05", "2026-01-11"];
  beforeAll(async () => {
    business = await givenBusiness();
    await business.write(...dates.map((date, i) => saleOf(i, date)));
  });
  const newestFirst = (from = "", to = "~") => dates.filter((date) => date >= from && date <= to).reverse();

  test.each([
    [{}, undefined, undefined],
    [{ start_date: "2026-01-01" }, "2026-01-01", undefined],
    [{ start_date: "2026-1-1", end_date: "2026-1-5" }, "2026-01-01", "2026-01-05"],
    [{ start_date: "2026-01-04", end_date: "2026-01-04" }, "2026-01-04", "2026-01-04"],
    [{ end_date: "2025-12-31" }, undefined, "2025-12-31"],
    [{ start_date: "2026-01-06", end_date: "2026-01-10" }, "2026-01-06", "2026-01-10"],
    [{ start_date: "2027-01-01" }, "2027-01-01", undefined],
  ])("%j is inclusive, newest day first", async (query, from, to) => {
    const { json } = await business.read(query);
    const expected = newestFirst(from, to);
    expect(json.data.map(({ date }: SalesDay) => date)).toEqual(expected);
    expect(json.metadata.total).toBe(expected.length);
  });

  test("pages cover the window once", async () => {
    const pages = await Promise.all(
      ["0", "4", "6"].map(async (offset) => (await business.read({ limit: "4", offset })).json),
    );
    expect(pages.map(({ metadata }) => metadata)).toEqual([
      { total: 6, count: "1 - 4" },
      { total: 6, count: "5 - 6" },
      { total: 6, count: "0 - 0" },
    ]);
    expect(pages.flatMap(({ data }) => data.map(({ date }: SalesDay) => date))).toEqual(newestFirst());
  });

  test.each([
    [{ start_date: "2026-02-30" }, "query.start_date", "must be a real calendar date"],
    [{ end_date: "tomorrow" }, "query.end_date", "must be a date, yyyy-MM-dd"],
    [{ start_date: "2026-01-02", end_date: "2026-01-01" }, "query.end_date", "must not be before start_date"],
    [{ limit: "1001" }, "query.limit", "must be an integer from 1 to 1000"],
    [{ limit: "0" }, "query.limit", "must be an integer from 1 to 1000"],
    [{ offset: "-1" }, "query.offset", "must be an integer from 0 to 2147483647"],
  ])("%j gets 422 that names the field", async (query, field, message) => {
    const { status, json } = await business.read(query);
    expect(status).toBe(422);
    expect(Object.keys(json.fields)).toEqual([field]);
    expect(json.fields[field].message).toBe(message);
  });
});

test("a business without sales has no days, and an unknown business gets 404", async () => {
  const { read, call } = await givenBusiness();
  expect((await read()).json).toEqual({ metadata: { total: 0, count: "0 - 0" }, data: [] });
  const unknown = await call("listCrbSalesDays", { path: { crb_id: randomUUID() } });
  expect(unknown.status).toBe(404);
});

test("a list without totals has none until its rebuild: 503", async () => {
  const { crbId, days, read, write } = await givenBusiness();
  await write(saleOf(1, "2026-02-10"), saleOf(2, "2026-02-10"), saleOf(3, "2026-02-11"));
  const totals = async () => (await days()).map(({ date, records, total_paid }) => [date, records, total_paid]);
  const list = recordList(crbId, "sale");
  const [index = expect.fail()] = await table().queryPartition(list.orders.rank.dayIndexPartition);
  const { digest: _, ...older } = index;
  await table().put(older);
  const weeks = await table().queryPartition(salesTotalsPartition(crbId));
  await table().batchDelete(weeks.map(({ pk, sk }) => ({ pk, sk })));
  expect((await read()).status).toBe(503);
  await write(saleOf(1, "2026-02-11"), saleOf(4, "2026-02-10"));
  expect((await read()).status).toBe(503);
  expect(await table().queryPartition(salesTotalsPartition(crbId))).toEqual([]);
  await Array.fromAsync(rebuildLists(table(), crbId, { kinds: ["sale"] }));
  expect(await totals()).toEqual([
    ["2026-02-11", 2, 8280],
    ["2026-02-10", 2, 8280],
  ]);
  await setFence(table(), { pk: "LEASE", sk: crbId }, 1);
  await write(saleOf(4, "2026-02-11"));
  expect(await totals()).toEqual([
    ["2026-02-11", 3, 12420],
    ["2026-02-10", 1, 4140],
  ]);
});

describe("a day is complete", () => {
  const completed = "2026-02-11T07:20:00.000Z";
  const first = "2026-01-20T09:00:00.000Z";

  async function givenCompletedDay() {
    const business = await givenBusiness();
    await business.write(saleOf(1, "2026-02-10"), saleOf(2, "2026-02-11"));
    await business.connect();
    await business.complete("2026-02-10", completed);
    const day = async () => (await business.days({ start_date: "2026-02-10", end_date: "2026-02-10" }))[0];
    return { ...business, day };
  }

  test.each([
    ["if its sales are stored up to its end, local time", first, "2026-02-11T07:00:00.000Z", true],
    ["not if its sales are stored only up to a moment before its end", first, "2026-02-11T06:59:59.999Z", false],
    ["not if it is unknown up to when its sales are stored", first, null, false],
    ["not before the first full reading has finished", null, "2026-02-11T07:00:00.000Z", false],
  ])("%s", async (_, firstSucceeded, dataAsOf, complete) => {
    const { setState, day } = await givenCompletedDay();
    await setState(firstSucceeded, dataAsOf);
    expect(await day()).toMatchObject({ complete, data_as_of: dataAsOf, completed_date: completed, revision: 0 });
  });

  test.each([null, "America/New_York"])("not if all sales were read in another time zone: %s", async (timezone) => {
    const { setState, day } = await givenCompletedDay();
    await setState(first, "2026-02-13T00:00:00.000Z", timezone);
    expect(await day()).toMatchObject({ complete: false, timezone: "America/Denver", completed_date: completed });
  });

  test("only if the completion was stored", async () => {
    const { setState, days } = await givenCompletedDay();
    await setState(first, "2026-02-13T00:00:00.000Z");
    const [later, earlier] = await days();
    expect(later).toMatchObject({ date: "2026-02-11", complete: false, completed_date: null, revision: 0 });
    expect(earlier).toMatchObject({ date: "2026-02-10", complete: true, completed_date: completed });
  });

  test("never for uploads, and never without a connection", async () => {
    const { setState, day, connect, crbId } = await givenCompletedDay();
    await setState(first, "2026-02-13T00:00:00.000Z");
    const unknown = { complete: false, data_as_of: null, completed_date: completed };
    await connect("Manual Upload Retail");
    expect(await day()).toMatchObject(unknown);
    await changeCrb(table(), crbId, (crb) => ({ ...crb, connection: null }));
    expect(await day()).toMatchObject(unknown);
  });

  test("and later changes raise its revision, also on the day that a sale leaves", async () => {
    const { setState, days, write, complete } = await givenCompletedDay();
    await complete("2026-02-12", completed);
    await setState(first, "2026-02-13T12:00:00.000Z");
    const before = await days();
    await write(saleOf(1, "2026-02-12"));
    const after = await days();
    expect(after.map(({ date, records, revision, complete }) => [date, records, revision, complete])).toEqual([
      ["2026-02-12", 1, 1, true],
      ["2026-02-11", 1, 0, false],
      ["2026-02-10", 0, 1, true],
    ]);
    expect(before[0]).toMatchObject({ records: 0, digest: noDigest, by_payment: [], svc_updated_date: completed });
    expect(after[2]).toMatchObject({
      ...before[0],
      date: "2026-02-10",
      revision: 1,
      svc_updated_date: expect.anything(),
    });
    expect(after[2]?.svc_updated_date).toBe(after[0]?.svc_updated_date);
    expect(after[0]?.digest).not.toBe(before[2]?.digest);
    expect(after[1]).toEqual(before[1]);
  });
});

test("the digests of all days add up to the digest of a copy that follows the changes", async () => {
  const { days, write, call } = await givenBusiness();
  const dates = ["2026-02-10", "2026-02-11", "2026-03-01"];
  await write(...dates.flatMap((date, i) => [saleOf(i, date), saleOf(i + 10, date)]));
  await write(saleOf(0, "2026-03-01", { total_paid: 1 }));
  const copy = new Map<string, { id: string; local_date: string; svc_updated_date: string }>();
  for (let cursor: string | undefined, more = true; more; ) {
    const { json } = await call("listCrbChanges", { path: { kind: "sales" }, query: { limit: 4, cursor } });
    for (const record of json.data) copy.set(record.id, record);
    [cursor, more] = [json.cursor, json.has_more];
  }
  expect(copy.size).toBe(6);
  for (const { date, digest, records } of await days()) {
    const ofDay = [...copy.values()].filter(({ local_date }) => local_date.startsWith(date));
    expect([digest, records]).toEqual([digestOf(ofDay), ofDay.length]);
  }
});

test("a year of a busy shop takes at most 14 read units, three of them for the CRB, its replication and its list", async () => {
  const { crbId, connect, setState } = await givenBusiness();
  await connect();
  await setState("2025-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z");
  const partition = salesTotalsPartition(crbId);
  const noon = Date.parse("2025-01-01T12:00:00.000Z");
  const weeks = new Map<string, SalesWeek>();
  for (let i = 0; i < 365; i++) {
    const at = new Date(noon + i * 86_400_000 + i * 1_234_567).toISOString();
    const day = new Date(noon + i * 86_400_000).toISOString().slice(0, 10);
    const week = weeks.get(mondayOf(day)) ?? raiseVersion(emptyWeek(mondayOf(day)));
    const completedAt = new Date(noon + i * 86_400_000 + i * 7_654_321).toISOString();
    const totals = {
      figures: busyFigures(i),
      digest: digestRecord(day, { svc_updated_date: at }),
      updatedAt: at,
      completedAt,
    };
    weeks.set(week.monday, setDay(week, day, { ...totals, revision: i % 3 }));
  }
  for (const week of weeks.values()) await table().transact([weekWrite(table(), partition, week)]);
  await table().put({
    ...{ pk: recordList(crbId, "sale").orders.rank.dayIndexPartition, sk: "2026" },
    ...{ version: 1, changed: 0, days: packDays(new Map()), others: {}, digest: packDigest(emptyDigest) },
  });
  const query = { start_date: "2025-01-01", end_date: "2025-12-31", offset: 0, limit: 1000 };
  const { result, ...cost } = await costOf(table().client, () => readSalesDays(table(), crbId, query));
  expect(result.days).toHaveLength(365);
  expect(result.days.every(({ complete }) => complete)).toBe(true);
  expect(cost.readUnits).toBeLessThanOrEqual(14);
  expect(cost.roundTrips).toBe(2);
});

/** The figures of a day with 2,000 sales of up to 120 dollars. */
function busyFigures(day: number): DayFigures {
  let seed = day + 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let figures: DayFigures = {};
  for (let i = 0; i < 200; i++) {
    const [subtotal, tax_paid, total_discounts] = [random(12_000), random(2_400), random(1_200)];
    const type = (["cash", "debit", "cash", "other"] as const)[random(4)] ?? "cash";
    const total_paid = subtotal + tax_paid;
    const customer = { type: ([null, "rec", "medical"] as const)[random(3)] ?? null };
    const transaction_type = random(20) === 0 ? "return" : "sale";
    const amounts = { subtotal, tax_paid, total_discounts, total_paid, transaction_type } as const;
    const parts = { line_items: [], discounts: [], taxes: [], fees: [] };
    figures = addFigures(
      figures,
      saleFigures({ type: "retail", ...amounts, ...parts, customer, payments: [{ type, amount_paid: total_paid }] }),
    );
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, 10 * value + (value > 0 ? random(10) : 0)]),
  );
}
