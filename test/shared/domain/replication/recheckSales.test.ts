import { expect, test } from "vitest";
import { announceSalesDays } from "../../../../shared/domain/replication/announceSalesDays.ts";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { readSalesDays } from "../../../../shared/domain/replication/readSalesDays.ts";
import { requestRecheck } from "../../../../shared/domain/replication/recheckSales.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import { withReplicationLease } from "../../../../shared/domain/replication/withReplicationLease.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { rulesVersion } from "../../../../shared/saleChecks/saleRules.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { flaggedDayKey, recordList, salesTotalsPartition } from "../../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { listSales } from "../../../../shared/store/sales.ts";
import { readSalesWeeks } from "../../../../shared/store/salesDays/salesWeek.ts";
import { dyingTable } from "../../../dyingTable.ts";
import { storedEvents } from "../../../storedEvents.ts";
import { testTableOf } from "../../../testTable.ts";
import { plainSale, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const one = useReplication(new ScriptedPos(100), "2026-03-02T19:00:00.000Z");
const { table, clock, pos, connection, owner } = one;
const run = () => one.runLater("sale");
/** Requests that the sales since a day are checked again. */
const request = (since: string) =>
  withReplicationLease(table(), connection.crbId, "sale", clock, (lease) => requestRecheck(lease, since));

/** A sale of flower, by an adult of 30 years or of the given date of birth. */
function sale(id: string, date: string, grams: number, { dob = "1996-01-01", version = 0 } = {}): PosSale {
  const plain = plainSale(id, version, date, `c${id}`);
  const lines = plain.line_items.map((line) => ({ ...line, product_type: "flower" as const, grams }));
  return { ...plain, tax_paid: 100, line_items: lines, customer: { ...plain.customer, dob } } as PosSale;
}

/** The statuses and findings by POS id, and the counts of all days. */
async function statuses() {
  const pages = await Promise.all(
    [0, 1000].map(async (offset) => (await listSales(table(), connection.crbId, { offset, limit: 1000 })).read()),
  );
  const sales = pages.flatMap(({ records }) => records.map((text) => JSON.parse(text)));
  const weeks = await readSalesWeeks(table(), recordList(connection.crbId, "sale").totalsPartition ?? "");
  const days = weeks.flatMap((week) => [...week.days.values()]);
  const count = (name: "red_flag" | "svc_checked" | "unchecked" | "warning") =>
    days.reduce((sum, { figures }) => sum + (figures[`${name}.count`] ?? 0), 0);
  for (const name of ["red_flag", "svc_checked", "unchecked", "warning"] as const) {
    expect(count(name)).toBe(sales.filter(({ compliance_status }) => compliance_status === name).length);
  }
  return Object.fromEntries(
    sales.map((each) => [
      each.pos_sale_id,
      [each.compliance_status, ...[...(each.compliance_exceptions ?? []), ...(each.compliance_warnings ?? [])]].join(
        " ",
      ),
    ]),
  );
}

/** The days that all have been checked by the present rules, newest first, and the others. */
async function checkedDays(): Promise<{ checked: string[]; unknown: string[] }> {
  const { days } = await readSalesDays(table(), connection.crbId, { offset: 0, limit: 1000 });
  const by = Map.groupBy(days, ({ rules_version }) => rules_version);
  expect([...by.keys()].filter((version) => version !== null && version !== rulesVersion)).toEqual([]);
  const datesOf = (version: string | null) => (by.get(version) ?? []).map(({ date }) => date);
  return { checked: datesOf(rulesVersion), unknown: datesOf(null) };
}

async function flaggedEvents(): Promise<string[]> {
  return (await storedEvents(table(), owner)).flatMap(({ type, data }) =>
    type === "sales_day.flagged" ? [`${data.date} ${data.red_flag} ${data.warning}`] : [],
  );
}

const over = "CO.adult.sale_equivalent: 35 g of flower equivalent in one sale, limit 28.35 g of flower equivalent";

test("sales are checked when they are stored, and each run reports the days with more flagged sales", async () => {
  pos.put("sale", sale("1", "2026-03-02T17:00:00.000Z", 35), sale("2", "2026-03-02T17:01:00.000Z", 3.5));
  await run();
  expect(await statuses()).toEqual({ 1: `red_flag ${over}`, 2: "svc_checked" });
  expect(await flaggedEvents()).toEqual(["2026-03-02 1 0"]);
  await run();
  pos.put("sale", sale("3", "2026-03-02T17:02:00.000Z", 35), sale("4", "2026-03-02T17:03:00.000Z", 35));
  await run();
  expect(await flaggedEvents()).toEqual(["2026-03-02 1 0", "2026-03-02 3 0"]);
  pos.put("sale", sale("1", "2026-03-02T17:00:00.000Z", 3.5, { version: 1 }));
  await run();
  expect(await statuses()).toMatchObject({ 1: "svc_checked" });
  expect(await flaggedEvents()).toHaveLength(2);
});

test("an event counts the flagged sales of its day at its end, and a day without any is not reported", async () => {
  pos.put("sale", sale("1", "2026-03-02T17:00:00.000Z", 35), sale("2", "2026-03-01T17:00:00.000Z", 3.5));
  await run();
  const { crbId } = connection;
  const partition = salesTotalsPartition(crbId);
  for (const day of ["2026-03-01", "2026-03-02"]) {
    await table().put({ ...flaggedDayKey(partition, day), red_flag: 3, warning: 2 });
  }
  expect(await announceSalesDays(table(), crbId, clock)).toBe(true);
  expect(await flaggedEvents()).toEqual(["2026-03-02 1 0", "2026-03-02 1 0"]);
  expect(await table().queryPartition(partition, { prefix: "OUTBOX#", consistent: true })).toEqual([]);
});

test("after a change of the state, the sales of 90 days are checked again, in parts", async () => {
  pos.put(
    "sale",
    sale("old", "2025-11-20T17:00:00.000Z", 35),
    sale("1", "2026-01-02T17:00:00.000Z", 35),
    sale("2", "2026-03-02T17:01:00.000Z", 29),
  );
  await run();
  expect(await statuses()).toEqual({
    old: `red_flag ${over}`,
    1: `red_flag ${over}`,
    2: `red_flag ${over.replace("35", "29")}`,
  });
  expect(await checkedDays()).toEqual({ checked: ["2026-03-02", "2026-01-02", "2025-11-20"], unknown: [] });
  connection.state = "NY";
  await run();
  expect(await checkedDays()).toEqual({ checked: ["2026-03-02", "2026-01-02"], unknown: ["2025-11-20"] });
  expect(await statuses()).toEqual({ old: `red_flag ${over}`, 1: "svc_checked", 2: "svc_checked" });
  // A second run changes nothing, and a new sale is checked by the new rules.
  pos.put("sale", sale("3", "2026-03-02T17:02:00.000Z", 90));
  await run();
  expect(await statuses()).toMatchObject({
    old: `red_flag ${over}`,
    3: "red_flag NY.adult.sale_flower: 90 g of flower in one sale, limit 85.049 g of flower",
  });
  // A later request takes nothing from an earlier one.
  await request("2025-11-01");
  await request("2026-03-01");
  expect((await checkedDays()).checked).toEqual([]);
  await run();
  expect((await checkedDays()).unknown).toEqual([]);
  expect(await statuses()).toMatchObject({ old: "svc_checked" });
});

test("a request before the first run changes nothing", async () => {
  await request("2026-03-01");
  pos.put("sale", sale("1", "2026-01-02T17:00:00.000Z", 35));
  await run();
  expect(await checkedDays()).toEqual({ checked: ["2026-01-02"], unknown: [] });
});

test("a check that is killed at any call names no version for a day that it has not reached", async () => {
  const dates = ["2026-02-10", "2026-02-11", "2026-02-12"];
  pos.put("sale", ...dates.map((day, i) => sale(`${i}`, `${day}T17:00:00.000Z`, 35)));
  await run();
  let partly = 0;
  for (let call = 0; partly < 2 && call < 60; call++) {
    const state = call % 2 ? "CO" : "NY";
    connection.state = state;
    clock.advance(10 * 60_000);
    await replicate(dyingTable(table(), 2 * call + 1), connection, pos, "sale", { clock }).catch(() => undefined);
    const texts = Object.values<string>(await statuses());
    const fits = (text: string) => text.startsWith(state === "CO" ? "red_flag" : "svc_checked");
    const done = texts.filter(fits).length;
    // From the first changed sale on, only the newest days are known to have the results of these rules.
    if (done > 0 && done < 3) partly += 1;
    if (done > 0) expect((await checkedDays()).checked.length).toBeLessThanOrEqual(done);
    clock.advance(10 * 60_000);
    await run();
  }
  expect(partly).toBe(2);
});

test("one run checks a thousand sales and the rest of their day, also those of days to come, and the next one goes on", async () => {
  // The first day is to come, and the second one has more sales than a page.
  const counts = { "2026-03-20": 5, "2026-02-24": 985, "2026-02-23": 20, "2026-02-22": 5 };
  const dates = Object.entries(counts).flatMap(([day, count]) => Array(count).fill(`${day}T17:00:00.000Z`));
  pos.put("sale", ...dates.map((date, i) => sale(`${i}`, date, 35)));
  await run();
  connection.state = "NY";
  const deadline = new Date(clock.time + 14 * 60_000);
  await one.runLater("sale", { deadline });
  const checked = () => statuses().then((all) => Object.values(all).filter((text) => text === "svc_checked").length);
  expect(await checked()).toBe(1_010);
  const [future, long, short, last] = Object.keys(counts);
  expect(await checkedDays()).toEqual({ checked: [future, long, short], unknown: [last] });
  await one.runLater("sale", { deadline });
  expect(await checked()).toBe(1_015);
  // A run of a file has no deadline, and checks all.
  connection.state = "CO";
  await run();
  expect(await checked()).toBe(0);
}, 120_000);

test("a sale to an unnamed person whose date of birth is known keeps no finding of a rule that has changed", async () => {
  const walkIn = sale("1", "2026-03-02T17:00:00.000Z", 3.5);
  pos.put("sale", { ...walkIn, customer: { ...walkIn.customer, pos_customer_id: null } } as PosSale);
  await run();
  const [content] = await one.records("sale");
  const compliance_exceptions = ["CO.adult.minimum_age: buyer of 30 years, minimum 31 years"];
  await withReplicationLease(table(), connection.crbId, "sale", clock, ({ fence }) =>
    new RecordWriter(table(), recordList(connection.crbId, "sale"), { fence, clock, ...indexingOptions.sale }).write([
      { id: content.id, content: { ...content, compliance_status: "red_flag", compliance_exceptions } },
    ]),
  );
  expect(await statuses()).toEqual({ 1: `red_flag ${compliance_exceptions}` });
  await request("2026-03-01");
  await run();
  expect(await statuses()).toEqual({ 1: "svc_checked" });
});

test("a day is not checked while the index lacks a sale of it, and the next run goes on with it", async () => {
  pos.put("sale", ...["1", "2", "3"].map((id) => sale(id, "2026-03-02T17:00:00.000Z", 35)));
  await run();
  connection.state = "NY";
  clock.advance(60_000);
  const lagging = testTableOf(table());
  lagging.client.middlewareStack.add(
    (next) => async (request) => {
      const response = await next(request);
      if ("IndexName" in request.input && request.input.IndexName === "bySaleRank") {
        (response.output as { Items?: unknown[] }).Items?.pop();
      }
      return response;
    },
    { step: "initialize", name: "lag" },
  );
  expect(await replicate(lagging, connection, pos, "sale", { clock })).toMatchObject({ outcome: "finished" });
  expect(await checkedDays()).toEqual({ checked: [], unknown: ["2026-03-02"] });
  await run();
  expect(await checkedDays()).toEqual({ checked: ["2026-03-02"], unknown: [] });
  expect(new Set(Object.values(await statuses()))).toEqual(new Set(["svc_checked"]));
});

test("an erased sale keeps its findings in its state, also when it is read or checked again", async () => {
  pos.put("sale", sale("1", "2026-03-02T17:00:00.000Z", 3.5, { dob: "2007-01-01" }));
  await run();
  const young = { 1: "red_flag CO.adult.minimum_age: buyer of 19 years, minimum 21 years" };
  expect(await statuses()).toEqual(young);
  expect(await eraseCustomer(table(), connection.crbId, one.idOf("c1"), { clock })).toMatchObject({ sales: 1 });
  expect(await statuses()).toEqual(young);
  await request("2026-01-01");
  expect(await one.run("sale", { isFullRead: true })).toMatchObject({ changed: 0 });
  expect(await statuses()).toEqual(young);
  // Where another state's rules hold, that of Colorado accuses no shop.
  connection.state = "NY";
  await run();
  expect(await statuses()).toEqual({ 1: "unchecked" });
});
