import { randomUUID } from "node:crypto";
import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { complianceStatuses } from "../../../../shared/api/enumerations.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { announceReconciliation } from "../../../../shared/domain/deposits/announceReconciliation.ts";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { deleteDeposit } from "../../../../shared/domain/deposits/deleteDeposit.ts";
import { changeSettings, readSettings } from "../../../../shared/domain/deposits/settings.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { sweepReconciliations } from "../../../../shared/domain/deposits/sweepReconciliations.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { computeInsights } from "../../../../shared/domain/insights/computeInsights.ts";
import { toDaySummary } from "../../../../shared/domain/insights/daySummary.ts";
import { setInsightSettings } from "../../../../shared/domain/insights/insightSettings.ts";
import { readJudged } from "../../../../shared/domain/insights/listInsights.ts";
import { sweepInsights } from "../../../../shared/domain/insights/sweepInsights.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import { searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { compareLinkedLicenses } from "../../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { linkLicense } from "../../../../shared/domain/linkedLicenses/linkLicense.ts";
import { unlinkLicense } from "../../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { readSalesDays } from "../../../../shared/domain/replication/readSalesDays.ts";
import { defaultInsightSettings } from "../../../../shared/insights/insightCodes.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { putServiceProvider } from "../../../../shared/store/crbs.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";
import {
  insightSummaryKey,
  insightsDueKey,
  insightsPartition,
  monthTotalKey,
  providerInsightsPartition,
} from "../../../../shared/store/keys/insights.ts";
import { recordList, salesTotalsPartition } from "../../../../shared/store/keys/orderedLists.ts";
import { restoringKey } from "../../../../shared/store/keys/replication.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { OutOfTimeError } from "../../../../shared/time/deadline.ts";
import { racedTable } from "../../../racedTable.ts";
import { countReadUnits } from "../../../readUnits.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { fileRows } from "../licenses/registerFile.ts";
import { importRows, type LicenseRow, licenseIdOf } from "../linkedLicenses/givenLicenses.ts";
import { busyDay, decidedBy, InsightShop, lastDay, saleOf, useShop } from "./insightShop.ts";

let shop: InsightShop;

const table = useTestTable();
useTestBucket();
beforeEach(async () => {
  shop = await new InsightShop(table()).open();
});

const revenue = { code: "revenue_above_baseline", start_date: lastDay };

/** A shop that has sold as usual, with a busy day if `isBusy`. */
const useUsualShop = (isBusy: boolean, act: (one: InsightShop) => Promise<void>) =>
  useShop(table, (one) => {
    one.pos.put("sale", ...InsightShop.usualSales(), ...(isBusy ? busyDay(lastDay) : []));
    return act(one);
  });
const openUsual = useUsualShop(false, (one) => one.run());
const openBusy = useUsualShop(true, (one) => one.run());
const openUnswept = useUsualShop(true, (one) => one.replicate());

async function raised() {
  shop = await openBusy();
  const [insight] = await shop.insights();
  return insight ?? expect.fail();
}

test("a day with three times the usual revenue raises one insight, with one event", async () => {
  expect(await raised()).toMatchObject({
    ...revenue,
    status: "open",
    occurrence: 1,
    revision: 1,
    measured: 24_078,
    expected: 8_010,
    unit: "cents",
    history: [],
  });
  expect(await shop.events()).toEqual(["insight.raised revenue_above_baseline"]);
  expect(await table().queryPartition(insightsDueKey("").pk)).toEqual([]);
});

test("the sales that could not be checked are those of the sales days, with their reasons", async () => {
  const returned = { ...saleOf(lastDay, 40), transaction_type: "return" } as PosSale;
  shop.pos.put("sale", ...InsightShop.usualSales(), ...busyDay(lastDay), returned);
  await shop.run();
  const { sale_checks } = await readJudged(table(), shop.crbId);
  const { start_date = "", end_date = "" } = sale_checks ?? {};
  expect([start_date, end_date]).toEqual([addDays(lastDay, -27), lastDay]);
  const { days } = await readSalesDays(table(), shop.crbId, { start_date, end_date, offset: 0, limit: 100 });
  const sum = (status: (typeof complianceStatuses)[number]) =>
    days.reduce((total, { by_compliance }) => total + by_compliance[status].count, 0);
  const sales = complianceStatuses.reduce((total, status) => total + sum(status), 0);
  expect(sale_checks).toMatchObject({ sales, unchecked: 1, reasons: [{ reason: "no_sale", sales: 1 }] });
  expect([sales, sum("unchecked")]).toEqual([28 * 4 + 9, 1]);
});

test("another computation of the same days changes nothing", async () => {
  const before = await raised();
  for (let i = 0; i < 2; i++) {
    expect(await computeInsights(table(), shop.crbId, shop)).toEqual({ raised: 0, withdrawn: 0, updated: 0 });
  }
  await shop.runOnNextDay();
  expect(await shop.insights()).toEqual([before]);
  expect(await shop.events()).toHaveLength(1);
});

test("a revision withdraws an insight with its decisions, and another one raises it again", async () => {
  const { id } = await raised();
  const note = "The shop had a sale.";
  await shop.decide("explained", note);
  const smaller = busyDay(lastDay).map((_, i) => saleOf(lastDay, i + 1, { total: 1_000, version: 1 }));
  shop.pos.put("sale", ...smaller);
  await shop.runOnNextDay();
  const decided = [{ status: "explained", note, decided_by: decidedBy.clientId, occurrence: 1 }];
  expect(await shop.insights()).toMatchObject([{ id, status: "withdrawn", revision: 3, history: decided }]);
  shop.pos.put("sale", ...busyDay(lastDay).map((_, i) => saleOf(lastDay, i + 1, { version: 2 })));
  await shop.runOnNextDay();
  expect(await shop.insights()).toMatchObject([
    { id, status: "open", occurrence: 2, revision: 4, withdrawn_date: null, history: decided },
  ]);
  expect(await shop.events()).toEqual([
    "insight.raised revenue_above_baseline",
    "insight.decided revenue_above_baseline",
    "insight.withdrawn revenue_above_baseline",
    "insight.raised revenue_above_baseline",
  ]);
});

test("a revision that only changes the figures keeps the decision, and no event reports it", async () => {
  const { id } = await raised();
  await shop.decide("escalated");
  shop.pos.put("sale", saleOf(lastDay, 13));
  await shop.runOnNextDay();
  expect(await shop.insights()).toMatchObject([{ id, status: "escalated", measured: 24_078 + 2_013, revision: 3 }]);
  expect(await shop.events()).toHaveLength(2);
});

test("a first computation judges 31 days, and later ones no earlier day", async () => {
  const early = addDays(lastDay, -31);
  const settings = { enabled: true, threshold: 2, minimum_history: 4 } as never;
  await setInsightSettings(table(), shop.spId, { revenue_above_baseline: settings });
  shop.pos.put("sale", ...InsightShop.usualSales(), ...busyDay(early));
  await shop.run();
  expect(await shop.insights()).toEqual([]);
  shop.pos.put("sale", ...busyDay(addDays(early, 1)));
  await shop.runOnNextDay();
  expect(await shop.insights()).toMatchObject([{ start_date: addDays(early, 1) }]);
  expect(await shop.insights()).toHaveLength(1);
});

describe("deposits", () => {
  const counted = addDays(lastDay, -9);
  /** The cash of the nine days after the count. */
  const sold = 9 * 8_010;
  const amountOf = (unexplained: number) => sold + unexplained;

  /** A deposit on the last day of more cash than was sold since the count, by this number of cents. */
  async function deposit(unexplained: number) {
    const posted = { posted_date: lastDay, type: "cash" as const };
    await storeDeposits(table(), shop, [{ id: "1", amount: amountOf(unexplained), ...posted }], shop.clock);
    await announce();
  }

  async function announce() {
    await announceReconciliation(table(), shop.crbId, shop.clock);
    expect(await sweepInsights(table(), { clock: shop.clock })).toMatchObject({ failures: 0 });
  }

  beforeEach(async () => {
    shop = await openUsual();
    await setCashCount(table(), shop, { date: counted, amount: 0 }, shop.clock);
    await announce();
  });

  test("cash that no sale explains raises an insight, a deletion withdraws it, and a new deposit raises it again", async () => {
    await deposit(10_000);
    expect(await shop.insights()).toEqual([]);
    await deposit(10_001);
    const code = "deposits_unexplained";
    const raised = { code, start_date: lastDay, measured: 10_001, status: "open", occurrence: 1 };
    expect(await shop.insights()).toMatchObject([raised]);
    await deleteDeposit(table(), shop, "1", shop.clock);
    await announce();
    expect(await shop.insights()).toMatchObject([{ code, status: "withdrawn" }]);
    await deposit(20_000);
    expect(await shop.insights()).toMatchObject([{ code, measured: 20_000, status: "open", occurrence: 2 }]);
    expect(await shop.events()).toEqual([
      `insight.raised ${code}`,
      `insight.withdrawn ${code}`,
      `insight.raised ${code}`,
    ]);
  });

  test("11 days without a deposit raise an insight, and a late deposit withdraws it", async () => {
    await shop.runOnNextDay();
    await announce();
    expect(await shop.insights()).toEqual([]);
    await shop.runOnNextDay();
    await announce();
    const late = { code: "days_without_deposit", start_date: addDays(lastDay, 2), measured: 11, expected: 10 };
    expect(await shop.insights()).toMatchObject([{ ...late, status: "open" }]);
    await deposit(0);
    expect(await shop.insights()).toMatchObject([{ ...late, status: "withdrawn" }]);
  });

  test("nothing but sales, deposits and settings ends an insight: no withdrawn consent, and no sale with a wrong date", async () => {
    await deposit(20_000);
    const before = await shop.insights();
    expect(before).toMatchObject([{ code: "deposits_unexplained", status: "open" }]);
    shop.pos.put("sale", saleOf("2031-01-01", 1));
    await shop.replicate();
    await announce();
    await table().update(crbKey(shop.crbId), { connection: null });
    await announce();
    expect(await shop.insights()).toEqual(before);
    expect(await shop.events()).toEqual(["insight.raised deposits_unexplained"]);
  });

  test("a business that is being restored waits for the comparison of its deposits", async () => {
    const posted = { posted_date: lastDay, type: "cash" as const };
    await storeDeposits(table(), shop, [{ id: "1", amount: amountOf(20_000), ...posted }], shop.clock);
    const reported = async () => (await sweepReconciliations(table(), { clock: shop.clock })).events;
    await table().put({ ...restoringKey(shop.crbId), sp_id: shop.spId });
    expect(await reported()).toBe(0);
    await table().delete(restoringKey(shop.crbId));
    expect(await reported()).toBe(2);
  });

  test("of simultaneous changes of settings, each keeps what the other changes", async () => {
    const change = { tolerance_amount: 50_000 };
    const other = () => changeSettings(table(), shop, { never_cash: ["other"] }, shop.clock);
    await changeSettings(racedTable(table(), other), shop, change, shop.clock);
    expect(await readSettings(table(), shop.crbId)).toMatchObject({ ...change, never_cash: ["other"] });
    expect(await changeSettings(table(), shop, {}, shop.clock)).toMatchObject(change);
  });

  describe("cash that stays unexplained", () => {
    const unexplained = (day: string, days: number) => ({
      as_of: day,
      measured: 100_000 - days * 8_010,
      ended_on: null,
    });
    const next = addDays(lastDay, 1);

    /** A day later, on which the usual sales explain more of the deposit. */
    async function nextDay(observed = table()) {
      await shop.runOnNextDay();
      await announceReconciliation(table(), shop.crbId, shop.clock);
      expect(await sweepInsights(observed, { clock: shop.clock })).toMatchObject({ failures: 0 });
    }

    beforeEach(() => deposit(100_000));

    test("keeps its first figures next to the latest ones, without another event", async () => {
      const first = { measured: 100_000, sentence: expect.stringContaining("$1,000.00") };
      expect(await shop.insights()).toMatchObject([{ ...first, latest: unexplained(lastDay, 0), revision: 1 }]);
      await nextDay();
      expect(await shop.insights()).toMatchObject([{ ...first, latest: unexplained(next, 1), revision: 2 }]);
      expect(await shop.events()).toEqual(["insight.raised deposits_unexplained"]);
    });

    test("changes once a day, and not at all once it is closed", async () => {
      let writes = 0;
      const observed = testTableOf(table());
      interceptCalls(observed).before = (_, input) => {
        const { TransactItems = [] } = input as TransactWriteCommandInput;
        writes += TransactItems.filter(({ Put }) => Put?.Item?.pk === insightsPartition(shop.crbId)).length;
      };
      const writesOfDay = async () => {
        const before = writes;
        await nextDay(observed);
        for (let i = 0; i < 2; i++) await computeInsights(observed, shop.crbId, shop);
        return writes - before;
      };
      expect([await writesOfDay(), await writesOfDay()]).toEqual([1, 1]);
      await shop.decide("explained");
      expect(await writesOfDay()).toBe(0);
    });

    test("keeps the figures on which it was closed, and those of an escalated one go on", async () => {
      await shop.decide("escalated");
      await nextDay();
      expect(await shop.insights()).toMatchObject([{ status: "escalated", latest: unexplained(next, 1) }]);
      await shop.decide("explained");
      await nextDay();
      expect(await shop.insights()).toMatchObject([{ status: "explained", latest: unexplained(next, 1), revision: 4 }]);
    });

    test("says on which day it ended, and keeps the latest figures after a withdrawal", async () => {
      for (let days = 0; days < 13; days++) await nextDay();
      const ended = { latest: { as_of: addDays(lastDay, 11), ended_on: addDays(lastDay, 12) } };
      expect(await shop.insights()).toMatchObject([{ status: "open", ...ended }]);
      await deleteDeposit(table(), shop, "1", shop.clock);
      await announce();
      const withdrawn = (await shop.insights()).find(({ code }) => code === "deposits_unexplained");
      expect(withdrawn).toMatchObject({ status: "withdrawn", ...ended });
    });
  });

  test("a comparison that changes nothing computes nothing", async () => {
    await deposit(10_001);
    await announceReconciliation(table(), shop.crbId, shop.clock);
    expect(await table().queryPartition(insightsDueKey("").pk)).toEqual([]);
  });
});

test("a sweep right after the completion of a day sees it, although other reads lag", async () => {
  shop = await openUnswept();
  const lagging = testTableOf(table());
  interceptCalls(lagging, {
    before: (_command, input) => {
      const { ConsistentRead, ExpressionAttributeValues: values } = input as QueryCommandInput;
      // A replica that has none of the weeks yet.
      if (!ConsistentRead && values?.[":pk"]?.S === salesTotalsPartition(shop.crbId)) values[":pk"] = { S: "later" };
    },
    after: () => undefined,
  });
  await sweepInsights(lagging, { clock: shop.clock });
  expect(await shop.insights()).toMatchObject([revenue]);
});

test("a computation goes on after one that was interrupted before its first day", async () => {
  shop = await openUnswept();
  const options = { clock: shop.clock, deadline: shop.clock.now() };
  await expect(computeInsights(table(), shop.crbId, options)).rejects.toThrow(OutOfTimeError);
  expect(await computeInsights(table(), shop.crbId, shop)).toMatchObject({ raised: 1 });
});

test("a damaged sale is left out, and its day is read again after the repair", async () => {
  shop = await openUnswept();
  const list = recordList(shop.crbId, "sale");
  const [item] = (await table().queryPartition(list.pk, { consistent: true })).filter(
    ({ body }) => body && JSON.parse(body as string).local_date.startsWith(lastDay),
  );
  const { sk, body } = item ?? expect.fail();
  await table().update({ pk: list.pk, sk }, { body: Buffer.from("not a record") });
  expect(await sweepInsights(table(), { clock: shop.clock })).toMatchObject({ raised: 1, failures: 0 });
  const daySummary = async () => toDaySummary((await table().get(insightSummaryKey(shop.crbId))) ?? expect.fail());
  const salesOf = async () => (await daySummary()).days.get(lastDay)?.profile.hours.reduce((sum, sales) => sum + sales);
  expect(await salesOf()).toBe(11);
  await table().update({ pk: list.pk, sk }, { body });
  await computeInsights(table(), shop.crbId, shop);
  expect(await salesOf()).toBe(12);
});

/** The sales of a day that raise insights of five codes. */
function unusualDay(day: string): PosSale[] {
  const young = saleOf(day, 41);
  return [
    ...Array.from({ length: 60 }, (_, i) => saleOf(day, i + 50)),
    ...[21, 22, 23, 24].map((number): PosSale => {
      const sale = saleOf(day, number);
      return { ...sale, customer: { ...sale.customer, pos_customer_id: "regular" } } as PosSale;
    }),
    ...[31, 32, 33].map((number): PosSale => ({ ...saleOf(day, number), date: `${day}T09:${number}:00.000Z` })),
    { ...young, customer: { ...young.customer, dob: "2015-01-01", id_type: "drivers" } } as PosSale,
    saleOf(day, 42, { total: 1_000_001 }),
  ];
}

test("a computation reads at most 8 units, and the sales of the new day; 9.5 with licenses, peers and many insights", async () => {
  const settings = new Map();
  const compute = () => computeInsights(table(), shop.crbId, { clock: shop.clock, settings });
  await raised();
  for (let i = 0; i < 130; i++) {
    const day = addDays(lastDay, i + 1);
    shop.pos.put("sale", ...Array.from({ length: 2 }, (_, j) => saleOf(day, j + 1)));
  }
  shop.clock.advance(130 * 86_400_000);
  await setCashCount(table(), shop, { date: lastDay, amount: 0 }, shop.clock);
  await shop.run();
  await announceReconciliation(table(), shop.crbId, shop.clock);
  await compute();
  const units = countReadUnits(table());
  // The settings were read by another computation of the sweep.
  await compute();
  expect(units()).toBeLessThanOrEqual(8);
  shop.pos.put("sale", ...unusualDay(addDays(lastDay, 128)));
  const stores = { table: table(), bucket: serviceBucket() };
  const rows = ["1", "2", "3"].map((license_identifier) => ({ license_identifier, licensee: "Others LLC" }));
  await importRegister(stores, { state: "CO", authority: undefined }, fileRows(rows), { clock: shop.clock });
  for (const { license_identifier } of rows) {
    const terms = { licenseNumber: license_identifier, state: "CO" } as const;
    const { records } = await (await searchLicenses(stores, terms, { offset: 0, limit: 1 })).read();
    const licenseId = JSON.parse(records[0] ?? "{}").id;
    await linkLicense(stores, { spId: shop.spId, crbId: shop.crbId, licenseId }, shop.clock);
  }
  for (let i = 0; i < 8; i++) {
    const group = { state: "CO", type: "retail", month: "2026-08" };
    await table().put({ ...monthTotalKey(shop.spId, group, randomUUID()), total: 1 });
  }
  await shop.run();
  await announceReconciliation(table(), shop.crbId, shop.clock);
  await sweepInsights(table(), shop);
  const codes = new Set((await shop.insights()).map(({ code }) => code));
  expect(codes.size).toBeGreaterThanOrEqual(8);
  shop.pos.put("sale", saleOf(addDays(lastDay, 131), 1));
  shop.clock.advance(86_400_000);
  await shop.replicate();
  await compute();
  const before = units();
  await compute();
  expect(units() - before).toBeLessThanOrEqual(9.5);
});

describe("sales without an active license", () => {
  const number = "1";
  const code = "sales_without_active_license";
  const [expiry, first] = [addDays(lastDay, -4), addDays(lastDay, -3)];
  const usual = { status_date: "", issued_at: "2025-02-01", expires_at: expiry, licensee: "Others LLC" };
  const stores = () => ({ table: table(), bucket: serviceBucket() });
  const clockOf = (day: string) => new TestClock(`${day}T12:00:00.000Z`);
  const importOnly = async (day: string, row: Partial<LicenseRow> = {}) => {
    const values = { ...usual, ...row.values };
    expect(await importRows([{ number, ...row, values }], clockOf(day))).toMatchObject({ refused: [] });
  };
  const importOn = async (...imported: Parameters<typeof importOnly>) => {
    await importOnly(...imported);
    await compareLinkedLicenses(stores(), { clock: clockOf(imported[0]) });
  };
  const found = async () => {
    await shop.runOnNextDay();
    return (await shop.insights()).filter((insight) => insight.code === code);
  };

  beforeEach(async () => {
    shop = await openUsual();
    await putServiceProvider(table(), { ...demoServiceProvider, id: shop.spId });
    await importOn(addDays(lastDay, -30));
    const licenseId = await licenseIdOf(number);
    await linkLicense(stores(), { spId: shop.spId, crbId: shop.crbId, licenseId }, clockOf(addDays(lastDay, -30)));
  });

  test("are not found by a register that was imported before the expiry", async () => {
    expect(await found()).toEqual([]);
    const renewal = [addDays(lastDay, 1), { values: { expires_at: addDays(lastDay, 365) } }] as const;
    // The licenses are compared after an import.
    await importOnly(...renewal);
    expect(await found()).toEqual([]);
    await importOn(...renewal);
    expect(await found()).toEqual([]);
  });

  test("are not found while the rows of the license are rejected, or absent and not confirmed", async () => {
    // A renewal whose row cannot be read.
    const unreadable = { number, values: { ...usual, expires_at: "2027-13-31" } };
    const day = addDays(lastDay, 1);
    const { refused } = await importRows([unreadable, { number: "2" }], clockOf(day));
    expect(refused).toHaveLength(1);
    await compareLinkedLicenses(stores(), { clock: clockOf(day) });
    expect(await found()).toEqual([]);
    // A file that was cut off: the absences of many licenses wait for another import.
    const cutOff = addDays(lastDay, 2);
    await importRows(
      Array.from({ length: 40 }, (_, i) => ({ number: `9${i}` })),
      clockOf(cutOff),
    );
    await importRows([{ number: "90" }], clockOf(addDays(lastDay, 3)));
    await compareLinkedLicenses(stores(), { clock: clockOf(addDays(lastDay, 3)) });
    expect(await found()).toEqual([]);
    await importOn(addDays(lastDay, 4));
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
  });

  test("are not found if the license was missing, and its row is rejected then", async () => {
    const others = [{ number: "2" }, { number: "3" }];
    const unreadable = { number, values: { ...usual, expires_at: "2027-13-31" } };
    for (const [days, rows] of [
      [1, others],
      [2, [unreadable, ...others]],
    ] as const) {
      await importRows([...rows], clockOf(addDays(lastDay, days)));
      await compareLinkedLicenses(stores(), { clock: clockOf(addDays(lastDay, days)) });
      expect(await found()).toEqual([]);
    }
  });

  test("stay found if the register says later that the license has ended, without a day", async () => {
    await importOn(addDays(lastDay, 1));
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
    await importOn(addDays(lastDay, 2), { status: "Revoked" });
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
    await importOn(addDays(lastDay, 3), {
      status: "Revoked",
      values: { status_date: "", licensee: "More Others LLC" },
    });
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
  });

  test("stay found if another value of an ended license changes that has no expiry", async () => {
    const revoked = (licensee: string) => ({ status: "Revoked", values: { expires_at: "", licensee } });
    await importOn(addDays(lastDay, 1), revoked("Others LLC"));
    expect(await found()).toMatchObject([{ start_date: addDays(lastDay, 1), status: "open" }]);
    await importOn(addDays(lastDay, 3), revoked("More Others LLC"));
    expect(await found()).toMatchObject([{ start_date: addDays(lastDay, 1), status: "open" }]);
  });

  test("stay found if the register states another end later, but not if the license was renewed before it", async () => {
    const suspended = { status: "Suspended", values: { expires_at: "", status_date: first } };
    await importOn(addDays(lastDay, 1), suspended);
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
    const later = addDays(lastDay, 2);
    await importOn(later, { status: "Revoked", values: { expires_at: "", status_date: later } });
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
    await importOn(addDays(lastDay, 3));
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
    const renewed = { expires_at: addDays(lastDay, 365), status_date: addDays(lastDay, 4) };
    await importOn(addDays(lastDay, 4), { status: "Revoked", values: renewed });
    expect(await found()).toMatchObject([{ start_date: first, status: "withdrawn" }, {}]);
  });

  test("begin with the new end if an ended license has another expiry", async () => {
    await importOn(addDays(lastDay, 1), { status: "Inactive", values: { status_date: addDays(lastDay, 1) } });
    expect(await found()).toMatchObject([{ start_date: first }]);
    const [later, expires_at] = [addDays(lastDay, 2), addDays(lastDay, 365)];
    await importOn(later, { status: "Suspended", values: { status_date: later, expires_at } });
    expect(await found()).toMatchObject([{ start_date: first, status: "withdrawn" }, { start_date: later }]);
  });

  test("stay found after the license was unlinked, or has left the register", async () => {
    await importOn(addDays(lastDay, 1));
    await found();
    await importRows([{ number: "2" }, { number: "3" }], clockOf(addDays(lastDay, 2)));
    await compareLinkedLicenses(stores(), { clock: clockOf(addDays(lastDay, 2)) });
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
    const names = { spId: shop.spId, crbId: shop.crbId, licenseId: await licenseIdOf(number) };
    await unlinkLicense(table(), names, shop.clock);
    expect(await found()).toMatchObject([{ start_date: first, status: "open" }]);
  });

  test("are withdrawn after a renewal", async () => {
    await importOn(addDays(lastDay, 1));
    await found();
    await importOn(addDays(lastDay, 2), { values: { expires_at: addDays(lastDay, 365) } });
    expect(await found()).toMatchObject([{ start_date: first, status: "withdrawn" }]);
  });
});

describe("settings", () => {
  test("a disabled code raises no insight and withdraws none", async () => {
    shop = await openUnswept();
    await setInsightSettings(table(), shop.spId, {
      revenue_above_baseline: { ...defaultInsightSettings.revenue_above_baseline, enabled: false } as never,
    });
    await shop.run();
    expect(await shop.insights()).toEqual([]);
    await setInsightSettings(table(), shop.spId, {});
    await shop.runOnNextDay();
    expect(await shop.insights()).toMatchObject([{ ...revenue, status: "open" }]);
    await setInsightSettings(table(), shop.spId, {
      revenue_above_baseline: { enabled: false, threshold: 2, minimum_history: 8 } as never,
    });
    shop.pos.put("sale", ...busyDay(lastDay).map((_, i) => saleOf(lastDay, i + 1, { total: 10, version: 1 })));
    await shop.runOnNextDay();
    expect(await shop.insights()).toMatchObject([{ ...revenue, status: "open" }]);
  });
});

describe("the end of an association", () => {
  test("takes the insights off the list of the service provider, and no computation adds any", async () => {
    const insight = await raised();
    shop.pos.put("sale", ...busyDay(addDays(lastDay, 1)));
    shop.clock.advance(86_400_000);
    await shop.replicate();
    await endAssociation(table(), serviceBucket(), shop.crbId, shop.clock);
    expect(await sweepInsights(table(), { clock: shop.clock })).toMatchObject({ failures: 0 });
    expect(await computeInsights(table(), shop.crbId, shop)).toBeUndefined();
    expect(await table().queryPartition(providerInsightsPartition(shop.spId))).toEqual([]);
    expect(await table().queryPartition(insightsPartition(shop.crbId))).toHaveLength(2);
    await expect(shop.decide("explained", "x", insight)).rejects.toMatchObject({ kind: "notFound" });
  });

  test("leaves no total of a month for others to be compared with, although a computation runs", async () => {
    shop = await openUnswept();
    // The first write stores the summary, before the total.
    const end = () => endAssociation(table(), serviceBucket(), shop.crbId, shop.clock);
    const ending = racedTable(table(), end, "PutItemCommand");
    expect(await computeInsights(ending, shop.crbId, shop)).toBeUndefined();
    expect(await table().queryPartition(providerInsightsPartition(shop.spId))).toEqual([]);
  });
});

describe("at the edge of the judged days", () => {
  const usualDay = (day: string) => [saleOf(day, 1)];
  const noSales = (threshold: number) => ({ no_sales: { ...defaultInsightSettings.no_sales, threshold } as never });
  const start = addDays(lastDay, 1);

  /** Three days without sales, and a sale on each of the days after them. */
  async function sellAfterPause(days: number) {
    for (let i = 4; i < 4 + days; i++) shop.pos.put("sale", ...usualDay(addDays(lastDay, i)));
    shop.clock.time = Date.parse(`${addDays(lastDay, 4 + days)}T12:00:00.000Z`);
    await shop.run();
  }

  test.each([
    [2, 3],
    [3, 2],
  ])("a pause whose threshold changes from %i to %i days stays one insight", async (before, after) => {
    shop = await openUsual();
    await setInsightSettings(table(), shop.spId, noSales(before));
    await sellAfterPause(2);
    const [insight] = await shop.insights();
    expect(insight).toMatchObject({ code: "no_sales", start_date: start, end_date: addDays(lastDay, before) });
    await setInsightSettings(table(), shop.spId, noSales(after));
    // The third day without sales is the first judged one.
    await sellAfterPause(89);
    expect(await shop.insights()).toMatchObject([{ id: insight?.id, status: "open", occurrence: 1 }]);
    expect(await shop.events()).toEqual(["insight.raised no_sales"]);
  });

  test("a computation long after the newest complete day still compares with the weeks before", async () => {
    const days = (count: number) => Array.from({ length: count }, (_, i) => addDays(lastDay, i + 1));
    shop = await openUsual();
    shop.pos.put("sale", ...days(80).flatMap(usualDay));
    const [busy = ""] = days(1);
    shop.pos.put("sale", ...busyDay(busy));
    await shop.run();
    shop.clock.advance(80 * 86_400_000);
    await shop.run();
    const before = await shop.insights();
    expect(before).toMatchObject([{ ...revenue, start_date: busy, status: "open" }]);
    shop.clock.advance(100 * 86_400_000);
    expect(await computeInsights(table(), shop.crbId, shop)).toEqual({ raised: 0, withdrawn: 0, updated: 0 });
    expect(await shop.insights()).toEqual(before);
  });
});

test("decided insights of flagged sales stay, however many later sales of the day are flagged", async () => {
  const flagged = (number: number): PosSale => {
    const sale = saleOf(lastDay, number);
    return { ...sale, customer: { ...sale.customer, dob: "2015-01-01", id_type: "drivers" } } as PosSale;
  };
  const only = Object.entries(defaultInsightSettings).map(([code, each]) => [code, { ...each, enabled: false }]);
  const { flagged_sale } = defaultInsightSettings;
  await setInsightSettings(table(), shop.spId, { ...Object.fromEntries(only), flagged_sale });
  shop.pos.put("sale", ...InsightShop.usualSales(), ...[11, 12, 13].map(flagged));
  await shop.run();
  const decided = await shop.insights();
  expect(decided).toHaveLength(3);
  for (const insight of decided) await shop.decide("explained", undefined, insight);
  shop.pos.put("sale", ...Array.from({ length: 59 }, (_, i) => flagged(i + 14)));
  await shop.runOnNextDay();
  const explained = decided.map(({ id }) => expect.objectContaining({ id, status: "explained", measured: 1 }));
  const together = expect.objectContaining({ code: "flagged_sale", status: "open", measured: 59 });
  expect(await shop.insights()).toHaveLength(4);
  expect(await shop.insights()).toEqual(expect.arrayContaining([...explained, together]));
});
