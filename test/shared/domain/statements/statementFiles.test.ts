import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { compareStatements } from "../../../../shared/domain/statements/compareStatements.ts";
import type { StatementContent } from "../../../../shared/domain/statements/statementContent.ts";
import { dollars } from "../../../../shared/domain/statements/statementCsv.ts";
import { statementHtml } from "../../../../shared/domain/statements/statementHtml.ts";
import { shareOf } from "../../../../shared/domain/statements/statementTotals.ts";
import { connectionsWrite, readStateConnections } from "../../../../shared/store/stateConnections.ts";
import { stateDayItem } from "../../../../shared/store/stateDays.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { busyDay, InsightShop, lastDay, saleOf, useShop } from "../insights/insightShop.ts";
import { givenStatements, textOf } from "./givenStatements.ts";

const table = useTestTable();
useTestBucket();
useQueues();

/** A shop with a busy last day, a deposit whose id looks like a formula, and a decision with markup in its note. */
const openShop = useShop(table, async (shop) => {
  shop.pos.put("sale", ...InsightShop.usualSales(), ...busyDay(lastDay));
  await shop.run();
  await setCashCount(table(), shop, { date: "2026-03-31", amount: 50_000 }, shop.clock);
  const deposits = [{ id: "=1+1", posted_date: "2026-04-07", amount: -48_000, type: "cash" }] as const;
  await storeDeposits(table(), shop, deposits, shop.clock);
  await shop.decide("explained", '<b>"Sale"</b>, &\n+ more');
});

const given = async () => givenStatements(table(), await openShop());

test("the CSV files have the rows of the content, amounts in dollars, and no formulas", async () => {
  const { make } = await given();
  const { stored, content } = await make({ format: "csv" });
  expect(stored.files.map(({ name }) => name)).toEqual([
    "statement.json",
    ...["about", "licenses", "consents", "sources", "payments", "customer-types", "days", "compliance", "checks"].map(
      csv,
    ),
    ...["flagged-sales", "deposit-sums", "cash-counts", "reconciliation-days", "deposits"].map(csv),
    ...["state-days", "insights", "decisions"].map(csv),
    "readers.csv",
  ]);
  const rows = async (name: string) =>
    parse(await textOf(stored, csv(name)), { ...{ bom: true, columns: true, record_delimiter: "\r\n" } }) as Record<
      string,
      string
    >[];
  const days = await rows("days");
  expect(days.map(({ date, total_paid_usd }) => [date, total_paid_usd])).toEqual(
    content.days.map(({ date, total_paid }) => [date, dollars(total_paid)]),
  );
  expect(await rows("deposits")).toMatchObject([{ id: "'=1+1", amount_usd: "-480.00", posted_date: "2026-04-07" }]);
  expect((await rows("decisions"))[0]?.note).toBe('<b>"Sale"</b>, &\n+ more');
  const about = new Map((await rows("about")).map(({ name, value }) => [name, value]));
  expect([about.get("as_of"), about.get("readers_to")]).toEqual([content.as_of, content.access.to]);
  expect(about.get("readers_unreadable")).toBe(String(content.access.unreadable));
  expect(await textOf(stored, "days.csv")).toMatch(/^\ufeffdate,/);
});

const csv = (name: string) => `${name}.csv`;

test("a statement has the state days of its period, next to the sales days, and the difference of an earlier one", async () => {
  const { crbId, make } = await given();
  const days = { receipts: 12, voided: 1, by_customer_type: {}, digest: "0".repeat(64), complete: true } as const;
  const store = async (date: string, total: number) => {
    const day = { ...days, date, total, dataAsOf: "2026-04-09T08:00:00.000Z" };
    await table().put(stateDayItem(crbId, { licenseNumber: "402R-00417", system: "Metrc", day }));
  };
  const connections = await readStateConnections(table(), crbId);
  const at = "2026-04-01T08:00:00.000Z";
  const connection = {
    ...({
      system: "Metrc",
      state: "CO",
      by: { kind: "service_provider", id: "a", person: null },
      isViewOnly: false,
      error: null,
    } as const),
    ...{ connectedAt: at, firstConnectedAt: at, due: at, readAt: at, againFrom: null, failed: 0 },
  };
  const licenses = { "402R-00417": connection };
  await table().transact([connectionsWrite(table(), { ...connections, licenses, basis: "pos_total" })]);
  await store(lastDay, 33_000);
  await store("2026-03-31", 1);
  const before = await make({ format: "csv" });
  const paid = before.content.days.find(({ date }) => date === lastDay)?.total_paid ?? expect.fail();
  expect(before.content.state_days).toMatchObject([
    { date: lastDay, license_number: "402R-00417", total: 33_000, pos_total: paid, variance: 33_000 - paid },
  ]);
  const [row] = parse(await textOf(before.stored, "state-days.csv"), { bom: true, columns: true }) as Record<
    string,
    string
  >[];
  expect(row).toMatchObject({ total_usd: "330.00", variance_usd: dollars(33_000 - paid), basis: "pos_total" });
  await store(lastDay, 34_000);
  const after = await make({ format: "html" });
  const differences = compareStatements(before.content, after.content).filter(({ part }) => part === "state_days");
  expect(differences.map(({ field }) => field)).toEqual(["total", "variance", "variance_percent"]);
  expect(await textOf(after.stored, "statement.html")).toContain("Totals of the state&#39;s system");
});

test("a day that never had a sale is in no list of days, and its completion is no difference", async () => {
  const { make, shop, clock } = await given();
  const days = { start_date: lastDay, end_date: addDays(lastDay, 1) };
  const before = await make(days);
  expect(before.content.incomplete_days).toEqual([days.end_date]);
  clock.advance(86_400_000);
  await shop.run();
  const { content } = await make({ ...days, compare_with: before.id });
  expect([content.incomplete_days, content.days_without_records]).toEqual([[], [days.end_date]]);
  expect(content.days.map(({ date }) => date)).toEqual([lastDay]);
  expect(content.comparison?.differences.filter(({ part }) => part === "days")).toEqual([]);
});

test("the page has no script, escapes texts of others, and names the incomplete days first", async () => {
  const { make } = await given();
  const { id, stored } = await make({ format: "html", start_date: "2026-02-28", end_date: "2026-05-06" });
  expect(stored.files.map(({ name }) => name)).toEqual(["statement.json", "statement.html"]);
  const page = await textOf(stored, "statement.html");
  expect(page).not.toMatch(/<script|\son\w+=|javascript:|https?:/i);
  // Codes of the API are in words.
  expect(page).toContain("<td>not fully checked</td>");
  expect(page).not.toMatch(/<td>[a-z]+_[a-z_]+<\/td>/);
  expect(page).toContain("&lt;b&gt;&quot;Sale&quot;&lt;/b&gt;, &amp;");
  expect(page).toContain(stored.sha256 ?? "");
  expect(page).toContain(id);
  const [first = ""] = page.split("<section>");
  expect(first).toContain("2 of 68 days are not complete");
  expect(first).toContain("Feb 28, 2026; Mar 1, 2026");
});

test("the totals on the page say which sums are lower bounds, and what wholesale has not been paid", async () => {
  const { make } = await given();
  const { content } = await make({ format: "html" });
  const page = (totals: Partial<StatementContent["totals"]>) =>
    statementHtml({ ...content, totals: { ...content.totals, ...totals } }, { id: "1", sha256: "" });
  expect(page({})).not.toMatch(/lower bounds|add up|Invoiced/);
  const unclear = page({ unknown_amounts: 2, mismatched: 3, invoiced: 90_000, open_balance: 12_345 });
  expect(unclear).toMatch(/lack an amount, so that sums are lower bounds<[^>]*>\s*<[^>]*>2</);
  expect(unclear).toMatch(/parts do not add up<[^>]*>\s*<[^>]*>3</);
  expect(unclear).toMatch(/not paid yet<[^>]*>\s*<[^>]*>\$?123\.45/);
});

describe("a comparison", () => {
  test("lists what has changed since, and nothing else", async () => {
    const { make, shop, spId, crbId, clock } = await given();
    const before = await make();
    expect((await make({ compare_with: before.id })).content.comparison).toEqual({
      statement_id: before.id,
      as_of: before.content.as_of,
      differences: [],
    });
    shop.pos.put("sale", saleOf("2026-04-10", 9, { total: 5_000 }));
    await shop.run();
    const deposits = [{ id: "new", posted_date: "2026-04-20", amount: -100, type: "cash" }] as const;
    await storeDeposits(table(), { spId, crbId }, deposits, clock);
    const { content, stored } = await make({ compare_with: before.id, format: "csv" });
    expect(await textOf(stored, "differences.csv")).toContain("deposits.records,new,amount,,-100\r\n");
    const differences = content.comparison?.differences ?? [];
    const of = (part: string) => differences.filter((each) => each.part === part);
    expect(of("days").map(({ item, field }) => [item, field])).toEqual(
      [
        ...["sales", "subtotal", "total_paid", "by_payment", "by_customer_type", "gross_sales", "by_compliance"],
        ...["records", "digest", "revision", "svc_updated_date"],
      ].map((field) => ["2026-04-10", field]),
    );
    expect(of("totals")).toContainEqual({
      ...{ part: "totals", item: "", field: "total_paid" },
      ...{ before: before.content.totals.total_paid, after: before.content.totals.total_paid + 5_000 },
    });
    const added = Object.entries({ id: "new", posted_date: "2026-04-20", amount: -100, type: "cash" });
    expect(of("deposits.records")).toEqual(
      added.map(([field, after]) => ({ part: "deposits.records", item: "new", field, before: null, after })),
    );
    expect(of("licenses")).toEqual([]);
  });

  test("of any content with a changed day finds exactly the changed fields", async () => {
    const { make } = await given();
    const { content } = await make();
    const fields = ["sales", "returns", "total_paid", "revision", "digest"] as const;
    const change = fc.record({
      day: fc.integer({ min: 0, max: content.days.length - 1 }),
      field: fc.constantFrom(...fields),
    });
    fc.assert(
      fc.property(fc.uniqueArray(change, { selector: ({ day, field }) => `${day} ${field}` }), (changes) => {
        const after: StatementContent = structuredClone(content);
        for (const { day, field } of changes) Object.assign(after.days[day] ?? {}, { [field]: "changed" });
        const found = compareStatements(content, after).map(({ part, item, field }) => `${part} ${item} ${field}`);
        const made = changes.map(({ day, field }) => `days ${content.days[day]?.date} ${field}`);
        expect(found.sort()).toEqual(made.sort());
      }),
      { numRuns: 50 },
    );
  });
});

test("amounts are exact", () => {
  expect([0, 5, -5, 100, -123_456, 2 ** 53 - 1].map(dollars)).toEqual([
    "0.00",
    "0.05",
    "-0.05",
    "1.00",
    "-1234.56",
    "90071992547409.91",
  ]);
});

test("shares have two decimals, and none of nothing", () => {
  expect([shareOf(1, 3), shareOf(2, 3), shareOf(0, 7), shareOf(-1, 4), shareOf(0, 0)]).toEqual([
    33.33,
    66.67,
    0,
    -25,
    null,
  ]);
});

test("shares round halves up, also of large amounts", () => {
  expect([shareOf(57, 800), shareOf(69, 800), shareOf(57 * 10 ** 10, 800 * 10 ** 10)]).toEqual([7.13, 8.63, 7.13]);
});
