import { randomUUID } from "node:crypto";
import type { GetItemCommandInput } from "@aws-sdk/client-dynamodb";
import { describe, expect, test, vi } from "vitest";
import { stateDay } from "../../../shared/api/schemas/stateSystem.ts";
import { setStateConnection } from "../../../shared/domain/crbs/setStateConnection.ts";
import { computeInsights } from "../../../shared/domain/insights/computeInsights.ts";
import { stateKeyRejectedMetric } from "../../../shared/domain/stateSystems/stateKeyMetric.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { insightsDuePartition, insightsPartition } from "../../../shared/store/keys/insights.ts";
import {
  stateConnectionsKey,
  stateConnectionsPartition,
  stateDaysPartition,
} from "../../../shared/store/keys/stateSystems.ts";
import { readStateDays, stateDayItem } from "../../../shared/store/stateDays.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { daysFrom, storeSalesDays } from "../../shared/domain/deposits/givenDays.ts";
import { importRows, type LicenseRow, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { storeEqualDays as storeDays } from "../../shared/domain/stateSystems/givenStateConnection.ts";
import { eventsOf } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { scan } from "../../tableState.ts";
import { testTableOf } from "../../testTable.ts";
import { watchCounted } from "../../watchCounted.ts";
import { daysAgo, licenseNumber, useStateBusinesses } from "./useStateBusinesses.ts";

const { table, queued, metrc, clock, givenConnected, sweep } = useStateBusinesses();

type Day = ReturnType<typeof stateDay.parse>;

const storeEqualDays = (crbId: string, changes: Readonly<Record<string, number>> = {}) =>
  storeDays(table(), crbId, { metrc: metrc(), until: daysAgo(1), count: 31 }, changes);

const variedDays = async (spId: string) =>
  (await eventsOf(table(), spId)).filter(({ type }) => type === "state_day.varied").map(({ data }) => data.date);

describe("a reading", () => {
  test("stores the totals of 31 days, which are listed next to the sales days, newest first", async () => {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: 5 });
    expect(await sweep()).toEqual({ crbs: 1, licenses: 1, failures: 0 });
    const { json } = await business.days();
    const days = json.data as Day[];
    expect(days.map(({ date }) => date)).toEqual(daysFrom(daysAgo(31), 32).reverse());
    for (const day of days) {
      expect(stateDay.parse(day)).toEqual(day);
      const { receipts, voided, total } = metrc().figuresOf(day.date);
      expect(day).toMatchObject({
        receipts,
        voided,
        total,
        complete: day.date < daysAgo(0),
        license_number: licenseNumber,
      });
      expect(day.by_customer_type.reduce((sum, each) => sum + each.total, 0)).toBe(total);
    }
    const varied = days.find(({ date }) => date === daysAgo(3)) as Day;
    expect(varied).toMatchObject({ pos_total: varied.total + 5, variance: -5, basis: "pos_total" });
    expect(days.filter(({ variance }) => variance === 0)).toHaveLength(30);
    expect(days[0]).toMatchObject({ date: daysAgo(0), pos_total: null, variance: null, variance_percent: null });
    expect((await business.get()).json).toMatchObject({ status: "current", error: null });
  });

  test("of several businesses at once counts the licenses of all of them", async () => {
    for (let i = 0; i < 3; i++) await givenConnected();
    expect(await sweep()).toEqual({ crbs: 3, licenses: 3, failures: 0 });
  });

  test("is paged by cursor and by days", async () => {
    const business = await givenConnected();
    metrc().fill(40, 5);
    await sweep();
    const first = (await business.days({ limit: ["20"] })).json;
    const second = (await business.days({ limit: ["20"], cursor: [first.cursor] })).json;
    expect([first.data.length, first.has_more, second.data.length, second.has_more]).toEqual([20, true, 12, false]);
    const window = await business.days({ start_date: [daysAgo(9)], end_date: [daysAgo(5)] });
    expect(window.json.data).toHaveLength(5);
    expect((await business.days({ cursor: ["AAAA"] })).status).toBe(422);
  });

  test("is repeated every six hours, and follows what has changed since", async () => {
    const business = await givenConnected();
    metrc().fill(40, 10);
    await sweep();
    expect(await sweep(5)).toMatchObject({ licenses: 0 });
    for (let i = 0; i < 60; i++) metrc().change();
    expect(await sweep(2)).toMatchObject({ licenses: 1 });
    for (const { date, receipts, voided, total } of (await business.days()).json.data as Day[]) {
      expect({ date, receipts, voided, total }).toMatchObject({ ...pick(metrc().figuresOf(date)), date });
    }
  });

  test("keeps the figures of a day that has fewer receipts until a second reading confirms it", async () => {
    const business = await givenConnected();
    metrc().fill(40, 10);
    await sweep();
    const before = ((await business.days()).json.data as Day[]).find(({ date }) => date === daysAgo(2)) as Day;
    const moved = [...metrc().facility.receipts.values()].find(({ soldAt }) => localDate(soldAt) === daysAgo(2));
    if (moved) metrc().facility.put({ ...moved, soldAt: moved.soldAt + 86_400_000, modifiedAt: clock.now().getTime() });
    await sweep(7);
    const read = async () => ((await business.days()).json.data as Day[]).find(({ date }) => date === daysAgo(2));
    expect(await read()).toMatchObject({ receipts: before.receipts, total: before.total, complete: false });
    await sweep(7);
    expect(await read()).toMatchObject({ ...pick(metrc().figuresOf(daysAgo(2))), complete: true });
  });

  test("of the week finds the day that a receipt has left", async () => {
    const business = await givenConnected();
    metrc().fill(40, 10);
    await sweep();
    const left = daysAgo(20);
    const ofDay = [...metrc().facility.receipts.values()].filter(({ soldAt }) => localDate(soldAt) === left);
    // A voided receipt counts on no day.
    const moved = ofDay.find(({ archivedAt }) => archivedAt === null);
    if (!moved) expect.fail("no receipt of the day");
    const soldAt = moved.soldAt + 5 * 86_400_000;
    metrc().facility.put({ ...moved, soldAt, modifiedAt: clock.now().getTime() });
    const read = async () => ((await business.days()).json.data as Day[]).find(({ date }) => date === left);
    await sweep(7);
    expect((await read())?.total).not.toBe(metrc().figuresOf(left).total);
    await sweep(7 * 24);
    await sweep(7);
    expect(await read()).toMatchObject({ ...pick(metrc().figuresOf(left)), complete: true });
  });

  test("follows the days of the connection after its key was replaced", async () => {
    const { crbId, robin, days } = await givenConnected();
    metrc().fill(20, 5);
    await sweep();
    await sweep(40 * 24);
    const now = clock.now().getTime();
    const old = [...metrc().facility.receipts.values()].find(({ archivedAt }) => archivedAt === null);
    if (old) metrc().facility.put({ ...old, archivedAt: now, modifiedAt: now });
    const date = localDay(new Date(old?.soldAt ?? 0), "America/Denver");
    const by = { kind: "invited_user", id: robin.id, person: null } as const;
    const license = { crbId, licenseNumber, by };
    await setStateConnection(table(), license, { system: "Metrc", user_key: "user/key" }, clock);
    await sweep(1);
    const [day] = (await days({ start_date: [date], end_date: [date] })).json.data;
    expect(day.voided).toBe(metrc().figuresOf(date).voided);
  });

  test("that fails says why, and is repeated later each time", async () => {
    const business = await givenConnected();
    metrc().faults = () => ({ kind: "answer", answer: { status: 503 } });
    await sweep();
    expect((await business.get()).json).toMatchObject({ status: "failing", error: "unreachable", data_as_of: null });
    const requests = metrc().requests.length;
    await sweep(0.2);
    expect(metrc().requests).toHaveLength(requests);
    await sweep(0.1);
    const again = metrc().requests.length;
    expect(again).toBeGreaterThan(requests);
    await sweep(0.3);
    expect(metrc().requests).toHaveLength(again);
    metrc().faults = () => ({ kind: "answer", answer: { status: 401, body: "<html>" } });
    await sweep(1);
    expect((await business.get()).json).toMatchObject({ error: "key_refused" });
    metrc().faults = () => undefined;
    await business.set();
    await sweep();
    expect((await business.get()).json).toMatchObject({ status: "current", error: null });
  });

  test("reports a state that rejects several businesses for hours and accepts none, since the fault is the own key", async () => {
    await givenConnected();
    await givenConnected();
    metrc().fill(10, 5);
    await sweep();
    const reports = watchCounted(stateKeyRejectedMetric);
    metrc().faults = () => ({ kind: "answer", answer: { status: 401, body: "<html>" } });
    await sweep(6.5);
    expect(reports()).toEqual([]);
    await sweep(1);
    expect(reports()).toMatchObject([["keys of a state rejected", { state: "CO", crbs: 2 }]]);
    metrc().faults = () => undefined;
    await sweep(24);
    const before = reports().length;
    await sweep(1);
    expect(reports()).toHaveLength(before);
  });

  test("without a key of this service for the state is counted for the same alarm", async () => {
    const business = await givenConnected();
    const logged = vi.spyOn(log, "warn").mockReturnValue();
    vi.stubEnv("METRC_VENDOR_KEY_CO", "");
    await sweep();
    vi.stubEnv("METRC_VENDOR_KEY_CO", "vendor+key");
    expect(logged.mock.calls).toMatchObject([["state days not read", { [stateKeyRejectedMetric]: 1 }]]);
    expect((await business.get()).json).toMatchObject({ status: "failing", error: "unreachable" });
    logged.mockRestore();
  });

  test("of two sweeps at once reads a license once", async () => {
    await givenConnected();
    const swept = await Promise.all([sweep(), sweep()]);
    expect(swept.reduce((sum, { licenses }) => sum + licenses, 0)).toBe(1);
  });

  test("stores nothing after the connection was deleted meanwhile", async () => {
    const business = await givenConnected();
    metrc().fill(10, 10);
    let isDeleted = false;
    metrc().beforeAnswer = () => {
      if (isDeleted) return;
      isDeleted = true;
      void business.robin.withdraw();
    };
    await sweep();
    await vi.waitFor(async () => expect(await table().get(stateConnectionsKey(business.crbId))).toBeUndefined());
    await sweep();
    const days = await table().queryPartition(stateDaysPartition(business.crbId), { consistent: true });
    // The reading may have stored days before the withdrawal, and no longer changes them.
    metrc().change();
    await sweep(7);
    expect(await table().queryPartition(stateDaysPartition(business.crbId), { consistent: true })).toEqual(days);
  });
});

/** The insights `state_variance` of a CRB. */
const variancesOf = async (crbId: string) =>
  (await table().queryPartition(insightsPartition(crbId), { consistent: true }))
    .flatMap(({ insight }) => (insight ? [JSON.parse(insight as string)] : []))
    .filter(({ code }) => code === "state_variance");

describe("a variance", () => {
  test("is reported once for each day, and raises an insight that a revision withdraws", async () => {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: -50_000, [daysAgo(1)]: -10_000 });
    await sweep();
    expect(await variedDays(business.spId)).toEqual([daysAgo(3)]);
    const due = await table().queryPartition(insightsDuePartition, { consistent: true });
    expect(due.map(({ sk }) => sk)).toContain(business.crbId);
    await computeInsights(table(), business.crbId, { clock });
    const insights = () => variancesOf(business.crbId);
    expect(await insights()).toMatchObject([{ start_date: daysAgo(3), status: "open", unit: "cents" }]);
    await sweep(7);
    expect(await variedDays(business.spId)).toEqual([daysAgo(3)]);
    await storeEqualDays(business.crbId);
    expect(await computeInsights(table(), business.crbId, { clock })).toMatchObject({ withdrawn: 1 });
    expect(await insights()).toMatchObject([{ status: "withdrawn" }]);
  });

  test("is an insight although other reads lag", async () => {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: -50_000 });
    await sweep();
    const lagging = testTableOf(table());
    interceptCalls(lagging, {
      before: (_command, input) => {
        const { ConsistentRead, Key } = input as GetItemCommandInput;
        const isOfConnections = Key?.pk?.S === stateConnectionsPartition && Key.sk?.S === business.crbId;
        // A replica that does not have the connections yet.
        if (!ConsistentRead && isOfConnections) Key.sk = { S: "later" };
      },
      after: () => undefined,
    });
    await computeInsights(lagging, business.crbId, { clock });
    expect(await variancesOf(business.crbId)).toMatchObject([{ start_date: daysAgo(3), status: "open" }]);
  });

  test("stays an insight after the business has withdrawn its consent", async () => {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: -50_000 });
    await sweep();
    await computeInsights(table(), business.crbId, { clock });
    await business.robin.withdraw();
    await sweep(7);
    await computeInsights(table(), business.crbId, { clock });
    expect(await variancesOf(business.crbId)).toMatchObject([{ start_date: daysAgo(3), status: "open" }]);
  });

  test("is unknown for a day with a sale that lacks its total", async () => {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId);
    const lacking = { cash: metrc().figuresOf(daysAgo(3)).total - 50_000, unstated: 1 };
    await storeSalesDays(table(), business.crbId, { [daysAgo(3)]: lacking }, daysAgo(1));
    await sweep();
    expect(await variedDays(business.spId)).toEqual([]);
    const days = (await business.days()).json.data as Day[];
    const unknown = { pos_total: null, variance: null, variance_percent: null, complete: true };
    expect(days.find(({ date }) => date === daysAgo(3))).toMatchObject(unknown);
    await computeInsights(table(), business.crbId, { clock });
    expect(await variancesOf(business.crbId)).toEqual([]);
  });

  test("of equal days is none", async () => {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: 10_000, [daysAgo(2)]: -10_000 });
    await sweep();
    expect(await variedDays(business.spId)).toEqual([]);
    await computeInsights(table(), business.crbId, { clock });
    const items = await table().queryPartition(insightsPartition(business.crbId), { consistent: true });
    expect(items.filter(({ insight }) => String(insight).includes("state_variance"))).toEqual([]);
  });
});

/** Links another license to a business, of a file of its own. */
async function linkOther(
  { call }: { call: Awaited<ReturnType<typeof givenConnected>>["call"] },
  row: Partial<LicenseRow>,
) {
  const number = `402-${randomUUID()}`;
  await importRows([{ number, ...row }], clock, number);
  const { status } = await call("linkCrbLicense", { path: { license_id: await licenseIdOf(number) } });
  expect(status).toBe(200);
}

const ofType = (reported_license_type_description: string, more: Record<string, string> = {}) => ({
  values: { reported_license_type_description, ...more },
});

describe("a variance of a business with another linked license that is not connected", () => {
  /** The oldest and the newest complete day with a variance. */
  async function givenOther(row: Partial<LicenseRow>) {
    const business = await givenConnected();
    await linkOther(business, row);
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: -50_000 });
    await sweep();
    await computeInsights(table(), business.crbId, { clock });
    const days = (await business.days()).json.data as Day[];
    const compared = days.filter(({ variance }) => variance !== null).map(({ date }) => date);
    const insights = (await variancesOf(business.crbId)).map(({ start_date }) => start_date);
    return { compared, varied: await variedDays(business.spId), insights };
  }

  test.each([
    ["a store", {}],
    ["a medical store", ofType("Medical Marijuana Center")],
    ["a delivery", ofType("Marijuana Delivery Operator")],
    ["a store that grows", ofType("Cultivation and Dispensary")],
    ["a license of an unknown type", ofType("Type 9")],
    ["a license whose status is unknown", { status: "Delinquent" }],
    ["a license without a last day", { status: "Pending" }],
  ])("is null for %s", async (_name, row) => {
    expect(await givenOther(row)).toEqual({ compared: [], varied: [], insights: [] });
  });

  test.each([
    ["a farm", ofType("Retail Marijuana Cultivation Facility", { uniform_license_type_description: "Cultivation" })],
    ["a laboratory", ofType("Testing Facility")],
    ["a store that expired before", { expires_in: -40 }],
    ["a store that was revoked before", { status: "Revoked", values: { status_date: "2020-01-05" } }],
  ])("is known for %s", async (_name, row) => {
    const found = await givenOther(row);
    expect(found.compared).toHaveLength(31);
    expect([found.varied, found.insights]).toEqual([[daysAgo(3)], [daysAgo(3)]]);
  });

  test("is null on the days before the license ended, and known later", async () => {
    const { compared, varied } = await givenOther({ values: { expires_at: daysAgo(16) } });
    expect(compared).toEqual(daysFrom(daysAgo(15), 15).reverse());
    expect(varied).toEqual([daysAgo(3)]);
  });

  test("is null at once if the license was linked after the reading, and raises no insight", async () => {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: -50_000 });
    await sweep();
    await linkOther(business, {});
    await computeInsights(table(), business.crbId, { clock });
    const days = (await business.days()).json.data as Day[];
    expect(days.filter(({ variance }) => variance !== null)).toEqual([]);
    expect(await variancesOf(business.crbId)).toEqual([]);
  });
});

test("days with the totals of a license that is not of the business any more have no variance", async () => {
  const business = await givenConnected();
  metrc().fill(40, 20);
  await sweep();
  // Of a license that was connected by mistake; after its end these stay.
  const [from, to] = [daysAgo(20), daysAgo(0)];
  for (const day of await readStateDays(table(), business.crbId, [from, to]))
    await table().put(stateDayItem(business.crbId, { ...day, licenseNumber: "402-other" }));
  await storeEqualDays(business.crbId);
  await sweep(7);
  await computeInsights(table(), business.crbId, { clock });
  const days = (await business.days({ limit: ["100"] })).json.data as Day[];
  const compared = days.filter(({ variance }) => variance !== null);
  expect(compared.map(({ date, variance }) => [date, variance])).toEqual(
    daysFrom(daysAgo(31), 11)
      .reverse()
      .map((date) => [date, 0]),
  );
  expect([await variedDays(business.spId), await variancesOf(business.crbId)]).toEqual([[], []]);
});

test("no name or number of a person reaches an item, a log, an event or a queue", async () => {
  log.setLogLevel("DEBUG");
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  }
  try {
    const business = await givenConnected();
    metrc().fill(40, 20);
    await storeEqualDays(business.crbId, { [daysAgo(3)]: -50_000 });
    await sweep();
    // A response whose form is unknown is not stored either, and the log does not repeat it.
    metrc().rewrite = (body) =>
      JSON.parse(JSON.stringify(body).replaceAll(/"TotalPrice":[\d.]+/g, '"TotalPrice":"Planted"'));
    await sweep(7);
    const shown = [(await business.days()).text, (await business.list()).text];
    expect(printed.join("")).toContain("pos request");
    const texts = [JSON.stringify(await scan(table())), JSON.stringify(queued), ...printed, ...shown];
    for (const text of texts) expect(text).not.toMatch(/planted/i);
  } finally {
    vi.restoreAllMocks();
  }
});

const pick = ({ receipts, voided, total }: { receipts: number; voided: number; total: number }) => ({
  receipts,
  voided,
  total,
});

const localDate = (instant: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "America/Denver" }).format(new Date(instant));
