import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import type { CrbOverview } from "../../../shared/api/schemas/overview.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { readOverview } from "../../../shared/domain/overview/readOverview.ts";
import { sweepOverview } from "../../../shared/domain/overview/sweepOverviews.ts";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import type { InsightCode } from "../../../shared/insights/insightCodes.ts";
import { createCrb, listCrbs, putServiceProvider } from "../../../shared/store/crbs.ts";
import { linkedLicenseKey } from "../../../shared/store/keys/licenses.ts";
import { documentToReviewKey } from "../../../shared/store/keys/onboarding.ts";
import { crbList } from "../../../shared/store/keys/orderedLists.ts";
import { overviewKey, overviewPartition } from "../../../shared/store/keys/overview.ts";
import { restoringOfKey } from "../../../shared/store/keys/replication.ts";
import { crbRecord } from "../../crbRecord.ts";
import { countReadUnits } from "../../readUnits.ts";
import { type Paid, storeSalesDays } from "../../shared/domain/deposits/givenDays.ts";
import { InsightShop, lastDay, useShop } from "../../shared/domain/insights/insightShop.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { cash, givenDepositor } from "../deposits/callDeposits.ts";
import { raiseInsight } from "../insights/raiseInsight.ts";

const table = useTestTable();
useTestBucket();

const hour = 3_600_000;
const intervals = { customer: 900, product: 900, location: 900, inventory: 900, sale: 900 };
const page = { offset: 0, limit: 100 };

const openShop = useShop(table, async (shop) => {
  await putServiceProvider(table(), { ...demoServiceProvider, id: shop.spId });
  shop.pos.put("sale", ...InsightShop.usualSales());
  await shop.replicate();
});

const sweep = (spId: string, clock: TestClock) => sweepOverview(table(), spId, intervals, { clock });
const rowsOf = async (spId: string) => (await readOverview(table(), spId, page)).rows;

async function addCrb(spId: string, name: string): Promise<string> {
  const id = randomUUID();
  await createCrb(table(), { record: { ...crbRecord(id), name }, serviceProviderId: spId, connection: null });
  return id;
}

const raise = async (spId: string, crbId: string, code: InsightCode, day: string) =>
  (await raiseInsight(table(), { spId, crbId }, code, day)).id;

const link = (spId: string, crbId: string, licenseId: string, expiresAt: string, more: object = {}) =>
  table().put({
    ...linkedLicenseKey(spId, crbId, licenseId),
    ...{ expiresAt, isInactive: false, isUnknown: false, isExpired: false, statusDate: "2020-01-01" },
    ...{ missingSince: null, holder: { licensee: null, tradeNames: [], locality: null }, status: "active" },
    ...more,
  });

test("a row has the figures of the lists, and says when they were right", async () => {
  const shop = await openShop();
  await sweep(shop.spId, shop.clock);
  const swept = shop.clock.now().toISOString();
  const [row = expect.fail()] = await rowsOf(shop.spId);
  const { days } = await readSalesDays(table(), shop.crbId, { offset: 0, limit: 100 });
  expect(row.sales_days).toEqual(
    days.slice(0, 7).map(({ date, total_paid, complete, by_payment, unknown_totals, unknown_paid_amounts }) => {
      const cash = by_payment.find(({ type }) => type === "cash")?.amount;
      const unknown = { unknown_totals, unknown_paid_amounts };
      return { date, total_paid, cash_sales_low: cash, cash_sales_high: cash, ...unknown, complete };
    }),
  );
  expect(row.sales_days[0]).toEqual({
    date: lastDay,
    total_paid: 8_010,
    cash_sales_low: 8_010,
    cash_sales_high: 8_010,
    unknown_totals: 0,
    unknown_paid_amounts: 0,
    complete: true,
  });
  expect(row).toMatchObject({
    as_of: swept,
    data: { state: "waiting", data_as_of: days[0]?.data_as_of },
    flagged_sales: { red_flag: 0, warning: 29 * 4, svc_checked: 0, unchecked: 0, since: "2026-04-08" },
    license: { status: null, count: 0, next_expiry: null },
    balance: null,
    matters: [],
  });
});

test("cash is a range, as in the reconciliation days, whose newest one gives the balance", async () => {
  const shop = await givenDepositor(table());
  const paid: Paid = { cash: 100_000, debit: 20_000, credit: 0, multiple: 7_000, other: 5_000, unknown: 0 };
  await storeSalesDays(table(), shop.crbId, { "2026-05-05": paid, "2026-05-06": paid }, "2026-05-06");
  const clock = new TestClock("2026-05-07T18:00:00.000Z");
  const rowOf = async () => {
    await sweep(shop.spId, clock);
    return (await rowsOf(shop.spId))[0] ?? expect.fail();
  };
  const range = ({ sales_days }: CrbOverview) => sales_days.map((day) => [day.cash_sales_low, day.cash_sales_high]);
  const before = await rowOf();
  expect([range(before), before.balance]).toEqual([
    [
      [100_000, 112_000],
      [100_000, 112_000],
    ],
    null,
  ]);
  await shop.set({ never_cash: ["multiple"] });
  await shop.count("2026-05-05", 50_000);
  await shop.store(cash("d1", "2026-05-06", 20_000));
  const row = await rowOf();
  const newest = (await shop.days()).at(-1);
  expect(range(row)).toEqual([
    [100_000, 105_000],
    [100_000, 105_000],
  ]);
  expect(newest).toMatchObject({ date: "2026-05-06", balance_low: 130_000, balance_high: 135_000 });
  expect(newest).toMatchObject(row.balance ?? {});
  expect(row.balance).toMatchObject({ date: "2026-05-06", days_since_deposit: 0 });
});

test("an unchanged row is not written again, and is still right at the last sweep", async () => {
  const shop = await openShop();
  expect(await sweep(shop.spId, shop.clock)).toMatchObject({ rows: 1, written: 1 });
  shop.clock.advance(60_000);
  expect(await sweep(shop.spId, shop.clock)).toMatchObject({ rows: 1, written: 0 });
  expect((await rowsOf(shop.spId))[0]?.as_of).toBe(shop.clock.now().toISOString());
});

test("data that is late is a matter since the last success", async () => {
  const shop = await openShop();
  const succeeded = shop.clock.now().toISOString();
  shop.clock.advance(hour);
  await sweep(shop.spId, shop.clock);
  const [row] = await rowsOf(shop.spId);
  expect(row?.data?.state).toBe("late");
  expect(row?.matters).toEqual([{ code: "data_late", since: expect.any(String), count: 1, id: null }]);
  expect(row?.matters[0]?.since.slice(0, 16)).toBe(succeeded.slice(0, 16));
});

test("matters are sorted by gravity, and CRBs by their first matter, its age and their name", async () => {
  const { spId, crbId } = await givenServiceProvider(table(), undefined, { name: "Dunes" });
  const clock = new TestClock("2026-05-07T12:00:00.000Z");
  const [calm, waiting, older] = [
    await addCrb(spId, "Alder"),
    await addCrb(spId, "Birch"),
    await addCrb(spId, "Cedar"),
  ];
  await raise(spId, crbId, "no_sales", "2026-05-05");
  const oldest = await raise(spId, crbId, "flagged_sale", "2026-05-01");
  await raise(spId, crbId, "flagged_sale", "2026-05-04");
  await raise(spId, older, "flagged_sale", "2026-04-30");
  for (const day of ["2026-05-03", "2026-05-02"]) {
    const id = randomUUID();
    await table().put({ ...documentToReviewKey(spId, `${day}T10:00:00.000Z`, id), crb_id: waiting });
  }
  await link(spId, waiting, "CO-1", "2026-05-31");
  await link(spId, waiting, "CO-2", "2026-05-01");
  await link(spId, waiting, "CO-3", "2026-12-31", { isUnknown: true });
  await link(spId, crbId, "CO-4", "2026-12-31", { isUnknown: true });
  await sweep(spId, clock);
  const rows = await rowsOf(spId);
  expect(rows.map(({ name }) => name)).toEqual(["Cedar", "Dunes", "Birch", "Alder"]);
  const [, dunes, birch] = rows;
  expect(dunes?.matters).toEqual([
    { code: "flagged_sale", since: "2026-05-01", count: 2, id: oldest },
    { code: "no_sales", since: "2026-05-05", count: 1, id: expect.any(String) },
  ]);
  expect(dunes?.license).toEqual({ status: "unknown", count: 1, next_expiry: "2026-12-31" });
  expect(birch?.matters).toEqual([
    { code: "document_to_review", since: "2026-05-02T10:00:00.000Z", count: 2, id: expect.any(String) },
    { code: "license_expired", since: "2026-05-02", count: 1, id: "CO-2" },
    { code: "license_expiring", since: "2026-03-02", count: 1, id: "CO-1" },
  ]);
  expect(birch).toMatchObject({
    documents_to_review: 2,
    license: { status: "expired", count: 3, next_expiry: "2026-05-31" },
  });
  expect(rows[3]).toMatchObject({ crb_id: calm, matters: [], data: { state: "not_connected", data_as_of: null } });
  const second = await readOverview(table(), spId, { offset: 1, limit: 2 });
  expect([second.total, second.rows]).toEqual([4, rows.slice(1, 3)]);
});

test("up to 5,000 CRBs are sorted by gravity, and more are in the order of listServiceProviderCrbs", async () => {
  const { spId, crbId: grave } = await givenServiceProvider(table(), undefined, { name: "Dunes" });
  await raise(spId, grave, "flagged_sale", "2026-05-01");
  const calm = await addCrb(spId, "Alder");
  const newest = await addCrb(spId, "Birch");
  const idsOf = async () => (await rowsOf(spId)).map(({ crb_id }) => crb_id);
  const fill = (count: number) =>
    table().transact(
      Array.from({ length: count }, () => ({
        Put: { TableName: table().name, Item: { pk: crbList(spId).pk, sk: randomUUID() } },
      })),
    );
  // A transaction has at most 100 writes.
  for (let left = 4_997; left > 0; left -= 100) await fill(Math.min(left, 100));
  expect(await idsOf()).toEqual([grave, calm, newest]);
  await fill(1);
  const { records } = await listCrbs(table(), spId, page);
  expect(await idsOf()).toEqual(records.map(({ id }) => id));
  expect(await idsOf()).toEqual([newest, calm, grave]);
  expect((await readOverview(table(), spId, page)).total).toBe(5_001);
});

test("a CRB without a row is listed at once, and one whose association has ended is not", async () => {
  const { spId, crbId, call } = await givenServiceProvider(table());
  const clock = new TestClock("2026-05-07T12:00:00.000Z");
  const first = await call("getOverview");
  expect(first).toMatchObject({ status: 200, json: { metadata: { total: 1, count: "1 - 1" } } });
  const empty = { as_of: null, data: null, sales_days: [], flagged_sales: null, license: null, balance: null };
  expect(first.json.data).toMatchObject([{ crb_id: crbId, ...empty, open_insights: 0, matters: [] }]);
  await sweep(spId, clock);
  await endAssociation(table(), serviceBucket(), crbId);
  expect((await call("getOverview")).json.data).toEqual([]);
  await sweep(spId, clock);
  expect(await table().get(overviewKey(spId, crbId))).toBeUndefined();
});

test("the row of a CRB that is restored stays as it was, with its time", async () => {
  const shop = await openShop();
  await sweep(shop.spId, shop.clock);
  const stored = await table().queryPartition(overviewPartition(shop.spId));
  await table().put({ ...restoringOfKey(shop.spId, shop.crbId) });
  shop.clock.advance(hour);
  expect(await sweep(shop.spId, shop.clock)).toMatchObject({ rows: 0, written: 0, failures: 0 });
  expect(await table().queryPartition(overviewPartition(shop.spId))).toEqual(stored);
});

test("while a CRB is restored, the overview is not available, since documents may be missing", async () => {
  const { spId, crbId, call } = await givenServiceProvider(table());
  await table().put({ ...restoringOfKey(spId, crbId) });
  const answer = await call("getOverview");
  expect(answer).toMatchObject({ status: 503, json: { data: { restoring: 1, crb_ids: [crbId] } } });
});

test("a row that cannot be computed keeps its time, and does not stop the others", async () => {
  const shop = await openShop();
  await addCrb(shop.spId, "Alder");
  await sweep(shop.spId, shop.clock);
  const before = shop.clock.now().toISOString();
  const broken = (await rowsOf(shop.spId)).find(({ crb_id }) => crb_id === shop.crbId) as CrbOverview;
  // A link without a date fails the computation of its CRB.
  await link(shop.spId, shop.crbId, "CO-1", "2026-05-31", { expiresAt: 5 });
  shop.clock.advance(hour);
  expect(await sweep(shop.spId, shop.clock)).toEqual({ rows: 1, written: 0, failures: 1 });
  const after = (await rowsOf(shop.spId)).find(({ crb_id }) => crb_id === shop.crbId);
  expect(after).toEqual({ ...broken, as_of: before });
});

test("a sweep takes at most 10 read units a CRB, and a page of 50 CRBs at most 40", async () => {
  const shop = await openShop();
  for (let i = 1; i < 50; i++) await addCrb(shop.spId, `Shop ${i}`);
  const swept = testTableOf(table());
  const ofSweep = countReadUnits(swept);
  await sweepOverview(swept, shop.spId, intervals, { clock: shop.clock });
  expect(ofSweep()).toBeLessThanOrEqual(50 * 10);
  const read = testTableOf(table());
  const ofPage = countReadUnits(read);
  expect((await readOverview(read, shop.spId, page)).rows).toHaveLength(50);
  expect(ofPage()).toBeLessThanOrEqual(40);
});
