import { expect, test } from "vitest";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { storeDeposits } from "../../../shared/domain/deposits/storeDeposits.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { depositPartition, reconciliationSettingsKey } from "../../../shared/store/keys/deposits.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { utcDay } from "../../../shared/time/clock.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../shared/store/crashInjection.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { cash, givenDepositor } from "./callDeposits.ts";

const table = useTestTable();
useTestBucket();

const stored = (deposit: object) => ({ business_date: null, excluded_reason: null, ...deposit });

test("deposits are listed as they were sent, those of the newest day first", async () => {
  const { store, deposits } = await givenDepositor(table());
  const first = cash("a/1", "2026-03-02", 120_000);
  const loan = { ...first, id: "b#2", type: "wire", excluded_reason: "loan" };
  const earlier = { ...first, id: "~", amount: -500, business_date: "2026-02-28" };
  const answer = await store(first, loan, earlier);
  expect(answer.json).toEqual({ accepted: 3, unchanged: 0, replaced: 0 });
  expect((await deposits()).json).toEqual({
    data: [loan, first, earlier].map(stored),
    cursor: expect.any(String),
    has_more: false,
  });
  const window = await deposits({ start_date: "2026-02-28", end_date: "2026-02-28" });
  expect(window.json.data).toEqual([stored(earlier)]);
});

test("cursors lead through all deposits, also if one is deleted meanwhile", async () => {
  const { store, remove, deposits } = await givenDepositor(table());
  const all = Array.from({ length: 23 }, (_, i) => cash(`d${i}`, addDays("2026-02-01", i % 5), 100 + i));
  await store(...all);
  const listed: string[] = [];
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const { json } = await deposits({ limit: "7", ...(cursor && { cursor }) });
    listed.push(...json.data.map(({ id }: { id: string }) => id));
    if (listed.length === 7) await remove(listed[6] ?? "");
    [cursor, more] = [json.cursor, json.has_more];
  }
  expect(listed.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  expect((await deposits({ limit: "7", cursor: cursor ?? "" })).json).toEqual({ data: [], cursor, has_more: false });
  const { counts } = await givenDepositor(table());
  for (const wrong of [cursor ?? "", "AAAA", `${cursor}A`]) {
    const { status, json } = await counts({ cursor: wrong });
    expect([status, Object.keys(json.fields)]).toEqual([422, ["query.cursor"]]);
  }
});

test("a cursor before the first day of the window leads to an empty page", async () => {
  const { store, deposits, counts, count, list: days } = await givenDepositor(table());
  await store(cash("1", "2025-12-01", 1), cash("2", "2026-01-01", 1), cash("3", "2026-02-01", 1));
  for (const day of ["2024-12-30", "2024-12-31", "2026-01-01"]) await count(day, 100);
  for (const list of [deposits, counts, days]) {
    const { cursor } = (await list({ limit: "2" })).json;
    expect((await list({ cursor, start_date: "2026-06-01" })).json).toEqual({ data: [], cursor, has_more: false });
  }
});

test("the same body again changes nothing, and a stored id with another value replaces its deposit", async () => {
  const { store, deposits } = await givenDepositor(table());
  const body = [cash("1", "2026-03-01", 100), cash("2", "2026-03-01", 200), cash("3", "2026-03-01", 300)];
  await store(...body);
  expect((await store(...body)).json).toEqual({ accepted: 0, unchanged: 3, replaced: 0 });
  const changed = [cash("1", "2026-03-02", 100), cash("2", "2026-03-01", 201), cash("4", "2026-03-01", 400)];
  expect((await store(...changed, body[2] ?? {})).json).toEqual({ accepted: 1, unchanged: 1, replaced: 2 });
  const ids = (await deposits()).json.data.map(({ id, amount }: Record<string, unknown>) => [id, amount]);
  expect(ids).toEqual([
    ["1", 100],
    ["4", 400],
    ["3", 300],
    ["2", 201],
  ]);
});

const tomorrow = addDays(utcDay(new Date()), 1);
const wrong: [string, object, string][] = [
  ["an amount of 0", { amount: 0 }, "amount"],
  ["a fraction of a cent", { amount: 1.5 }, "amount"],
  ["an amount as text", { amount: "100" }, "amount"],
  ["an amount that makes sums inexact", { amount: 10_000_000_001 }, "amount"],
  ["no id", { id: "" }, "id"],
  ["an id of 65 characters", { id: "x".repeat(65) }, "id"],
  ["an id with a space", { id: "a b" }, "id"],
  ["an id beyond ASCII", { id: "é" }, "id"],
  ["an id that clients take out of a path", { id: ".." }, "id"],
  ["an id that means the path itself", { id: "." }, "id"],
  ["a business date of null", { business_date: null }, "business_date"],
  ["another type", { type: "coins" }, "type"],
  ["another reason", { excluded_reason: "gift" }, "excluded_reason"],
  ["a posted date after tomorrow", { posted_date: addDays(tomorrow, 1) }, "posted_date"],
  ["a posted date before 2000", { posted_date: "1999-12-31" }, "posted_date"],
  ["no date of the calendar", { posted_date: "2026-02-30" }, "posted_date"],
  ["a business date after tomorrow", { business_date: addDays(tomorrow, 1) }, "business_date"],
  ["an account number", { account: "1" }, "account"],
];

test.each(wrong)("a body whose second deposit has %s is rejected as a whole", async (_, change, field) => {
  const { store, deposits } = await givenDepositor(table());
  const { status, json } = await store(cash("1", "2026-03-01", 100), { ...cash("2", "2026-03-01", 1), ...change });
  expect([status, Object.keys(json.fields)]).toEqual([422, [`body.deposits.1.${field}`]]);
  expect((await deposits()).json.data).toEqual([]);
});

test("a body with a repeated id, without a deposit or with 1,001 is rejected as a whole", async () => {
  const { store, deposits } = await givenDepositor(table());
  const many = Array.from({ length: 1_001 }, (_, i) => cash(`m${i}`, "2026-03-01", 1));
  const repeated = await store(many[0] ?? {}, many[1] ?? {}, many[0] ?? {});
  expect(repeated.json.fields).toEqual({
    "body.deposits.2.id": { message: "must not be the id of deposits.0 too", value: "m0" },
  });
  for (const body of [[], many]) {
    const { status, json } = await store(...body);
    expect([status, Object.keys(json.fields)]).toEqual([422, ["body.deposits"]]);
  }
  expect((await deposits()).json.data).toEqual([]);
  expect((await store(...many.slice(1))).json).toEqual({ accepted: 1_000, unchanged: 0, replaced: 0 });
  expect((await store(cash("tomorrow", tomorrow, 1), cash("first", "2000-01-01", 1))).status).toBe(200);
});

test("a deleted deposit is returned and gone, and its id is free", async () => {
  const { store, remove, deposits } = await givenDepositor(table());
  const deposit = cash("a/1#2", "2026-03-01", 100);
  await store(deposit);
  expect(await remove("a/1#2")).toMatchObject({ status: 200, json: stored(deposit) });
  expect((await remove("a/1#2")).status).toBe(404);
  expect((await deposits()).json.data).toEqual([]);
  expect((await store(deposit)).json.accepted).toBe(1);
});

test("cash counts are stored, replaced, listed and deleted by day", async () => {
  const { count, uncount, counts } = await givenDepositor(table());
  const days = ["2025-12-31", "2026-01-01", "2026-03-01"];
  for (const [i, day] of days.entries())
    expect((await count(day, i * 100)).json).toEqual({ date: day, amount: i * 100 });
  await count("2026-03-01", 250);
  const all = [
    { date: "2026-03-01", amount: 250 },
    { date: "2026-01-01", amount: 100 },
    { date: "2025-12-31", amount: 0 },
  ];
  expect((await counts()).json).toEqual({ data: all, cursor: expect.any(String), has_more: false });
  const page = (await counts({ limit: "2" })).json;
  expect([page.data, page.has_more]).toEqual([all.slice(0, 2), true]);
  expect((await counts({ limit: "2", cursor: page.cursor })).json.data).toEqual(all.slice(2));
  expect((await counts({ end_date: "2026-02-01", start_date: "2026-01-01" })).json.data).toEqual(all.slice(1, 2));
  expect((await uncount("2026-01-01")).json).toEqual(all[1]);
  expect((await uncount("2026-01-01")).status).toBe(404);
  for (const [day, amount] of [
    [addDays(tomorrow, 1), 1],
    ["2026-3-1", 1],
    ["2026-03-01", -1],
  ] as const) {
    expect((await count(day, amount)).status).toBe(422);
  }
});

test("settings that are not sent stay, and have defaults", async () => {
  const { set, settings } = await givenDepositor(table());
  const defaults = {
    since: null,
    never_cash: [],
    tolerance_amount: 10_000,
    tolerance_percent: 5,
    max_days_without_deposit: 10,
  };
  expect((await settings()).json).toEqual(defaults);
  await set({ since: "2026-02-01", never_cash: ["other"] });
  const changed = { ...defaults, since: "2026-02-01", never_cash: ["other"], tolerance_percent: 0 };
  expect((await set({ tolerance_percent: 0 })).json).toEqual(changed);
  expect((await settings()).json).toEqual(changed);
  expect((await set({ since: null })).json).toEqual({ ...changed, since: null });
  for (const body of [
    { never_cash: ["cash"] },
    { never_cash: ["other", "other"] },
    { tolerance_percent: 101 },
    { x: 1 },
  ]) {
    expect((await set(body)).status).toBe(422);
  }
});

test("limits hold: 100,000 deposits and 3,660 counts", async () => {
  const { crbId, store, remove, count, deposits } = await givenDepositor(table());
  await store(cash("1", "2026-03-01", 100));
  await table().update(reconciliationSettingsKey(crbId), { deposits: 99_999, counts: 3_660 });
  const full = await store(cash("1", "2026-03-01", 101), cash("2", "2026-03-01", 1), cash("3", "2026-03-01", 1));
  expect([full.status, full.json.code]).toEqual([409, "deposit_limit"]);
  expect((await deposits()).json.data).toEqual([stored(cash("1", "2026-03-01", 100))]);
  expect((await store(cash("1", "2026-03-01", 101), cash("2", "2026-03-01", 1))).status).toBe(200);
  expect((await store(cash("3", "2026-03-01", 1))).status).toBe(409);
  await remove("1");
  expect((await store(cash("3", "2026-03-01", 1))).status).toBe(200);
  const counted = await count("2026-03-01", 1);
  expect([counted.status, counted.json.code]).toEqual([409, "count_limit"]);
});

test("nothing is stored for a CRB whose association has ended", async () => {
  const { crbId, spId } = await givenDepositor(table());
  await endAssociation(table(), serviceBucket(), crbId);
  const requests = [{ id: "1", posted_date: "2026-03-01", amount: 1, type: "cash" as const }];
  await expect(storeDeposits(serviceTable(), { spId, crbId }, requests)).rejects.toMatchObject({ kind: "notFound" });
  expect(await table().queryPartition(depositPartition(crbId))).toEqual([]);
});

test("parallel requests for the same ids leave the sums of the stored deposits", async () => {
  const { store, days, deposits } = await givenDepositor(table());
  const body = (amount: number) =>
    Array.from({ length: 20 }, (_, i) => cash(`p${i}`, addDays("2026-02-01", (i + amount) % 4), amount + i));
  await Promise.all([1_000, 2_000, 3_001, 4_002].map((amount) => store(...body(amount))));
  const sums = new Map<string, number>();
  for (const { posted_date, amount } of (await deposits()).json.data) {
    sums.set(posted_date, (sums.get(posted_date) ?? 0) + amount);
  }
  const found = (await days()).map(({ date, cash_deposited }) => [date, cash_deposited]);
  expect(Object.fromEntries(found.filter(([, amount]) => amount !== 0))).toEqual(Object.fromEntries(sums));
});

test("a request that is killed at any write is completed by the same request", async () => {
  const mortal = testTableOf(table());
  const calls = interceptCalls(mortal);
  const body = Array.from({ length: 150 }, (_, i) => ({
    ...{ id: `k${i}`, posted_date: addDays("2025-12-01", i % 40), type: "cash" as const },
    amount: 100 + i,
  }));
  const givenStored = async () => {
    const given = await givenDepositor(table());
    await given.store(...body.slice(0, 40).map((deposit) => ({ ...deposit, amount: 7, posted_date: "2026-01-20" })));
    return { ...given, act: () => storeDeposits(mortal, given, body) };
  };
  const whole = await givenStored();
  const writes = await writesOf(calls, whole.act);
  expect(writes).toBeGreaterThan(2);
  const expected = [(await whole.days()).filter(hasSums), (await whole.deposits()).json.data];
  for (const write of crashPoints(writes)) {
    for (const side of sides) {
      const given = await givenStored();
      crashAt(calls, write, side);
      await expect(given.act()).rejects.toThrow("killed");
      letCallsPass(calls);
      const { accepted, unchanged, replaced } = await given.act();
      expect(accepted + unchanged + replaced).toBe(150);
      expect([(await given.days()).filter(hasSums), (await given.deposits()).json.data]).toEqual(expected);
      const settings = await table().get(reconciliationSettingsKey(given.crbId));
      expect(settings).toMatchObject({ deposits: 150, counts: 0 });
    }
  }
});

const hasSums = ({ cash_deposited }: { cash_deposited: number }) => cash_deposited !== 0;
