import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { handler as listCountsHandler } from "../../../../functions/deposits/listCashCounts.ts";
import { handler as listDepositsHandler } from "../../../../functions/deposits/listDeposits.ts";
import { handler as listInsightsHandler } from "../../../../functions/insights/listCrbInsights.ts";
import { handler as listSalesHandler } from "../../../../functions/sales/listSales.ts";
import { handler as listSalesDaysHandler } from "../../../../functions/salesDays/listSalesDays.ts";
import { issueCredential } from "../../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../../shared/auth/scopes.ts";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { requestEvent, testContext } from "../../../requestEvent.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { busyDay, InsightShop, lastDay, saleOf } from "../insights/insightShop.ts";
import { givenStatements, textOf } from "./givenStatements.ts";

const table = useTestTable();
useTestBucket();
useQueues();

/** A sale with another means of payment, type of customer or sign. */
function variant(day: string, number: number, change: Partial<PosSale>, total = 1_234 + number): PosSale {
  return { ...saleOf(day, number, { total }), ...change } as PosSale;
}

test("each figure of a statement follows from the lists of the API, as a program without shared code computes them", async () => {
  const { shop, crbId, spId, clock, directory, make } = await givenStatements(table());
  const sales = InsightShop.usualSales().map((sale, i) => {
    const amount = sale.total_paid ?? 0;
    if (i % 7 === 1) return { ...sale, payments: [{ type: "multiple", amount_paid: amount }] };
    if (i % 7 === 2)
      return {
        ...sale,
        payments: [
          { type: "debit", amount_paid: amount - 500 },
          { type: "cash", amount_paid: 500 },
        ],
      };
    return i % 7 === 3 ? { ...sale, customer: { ...sale.customer, type: "medical" } } : sale;
  }) as PosSale[];
  const heavy = variant("2026-04-09", 21, {}, 9_000);
  const tooMuch = { ...heavy, line_items: heavy.line_items.map((line) => ({ ...line, grams: 60 })) };
  const minor = variant("2026-04-10", 22, {
    customer: { ...heavy.customer, pos_customer_id: "minor", dob: "2012-01-01" } as PosSale["customer"],
  });
  const returned = variant(
    "2026-04-11",
    23,
    { transaction_type: "return", payments: [{ type: "cash", amount_paid: -700 }] },
    -700,
  );
  shop.pos.put("sale", ...sales, ...busyDay(lastDay), tooMuch, minor, returned);
  await shop.run();
  const owner = { spId, crbId };
  for (const [date, amount] of [
    ["2026-03-31", 50_000],
    ["2026-04-20", 7_100],
  ] as const) {
    await setCashCount(table(), owner, { date, amount }, clock);
  }
  const deposits = [
    { id: "1", posted_date: "2026-03-30", business_date: "2026-04-02", amount: 12_000, type: "cash" },
    { id: "2", posted_date: "2026-04-21", amount: 9_100, type: "cash" },
    { id: "3", posted_date: "2026-04-22", amount: -300, type: "cash" },
    { id: "4", posted_date: "2026-04-23", amount: 800_000, type: "wire", excluded_reason: "loan" },
    { id: "5", posted_date: "2026-04-24", amount: 4_000, type: "card" },
    { id: "6", posted_date: "2026-05-07", amount: 1, type: "cash" },
  ] as const;
  await storeDeposits(table(), owner, deposits, clock);
  await shop.decide("explained");
  clock.advance(1_000);
  const { stored, content } = await make();
  expect(content.checks.flagged_sales.length).toBeGreaterThan(1);

  const scopes = serviceProviderScopes;
  const { secret } = await issueCredential(table(), { owner: { kind: "serviceProvider", id: spId }, spId, scopes });
  const read = async (handler: typeof listSalesHandler, list: string, query: Record<string, string> = {}) => {
    const resource = `/service-providers/{sp_id}/crbs/{crb_id}/${list}`;
    const single = Object.fromEntries(
      Object.entries({ limit: "1000", ...query }).map(([name, value]) => [name, [value]]),
    );
    const request = { resource, path: { sp_id: spId, crb_id: crbId }, query: single, authorization: secret };
    const { statusCode, body } = await handler(requestEvent(request), testContext);
    expect(statusCode).toBe(200);
    return JSON.parse(body).data;
  };
  const { start_date, end_date } = stored;
  const lists = {
    sales: await read(listSalesHandler, "sales"),
    sales_days: await read(listSalesDaysHandler, "sales-days"),
    deposits: await read(listDepositsHandler, "deposits"),
    cash_counts: await read(listCountsHandler, "cash-counts", { start_date, end_date }),
    all_counts: await read(listCountsHandler, "cash-counts"),
    insights: await read(listInsightsHandler, "insights"),
  };
  const [listFile, statementFile] = [join(directory, "lists.json"), join(directory, "statement.json")];
  writeFileSync(listFile, JSON.stringify(lists));
  const script = join(import.meta.dirname, "recompute.py");
  const recompute = async (text: string) => {
    writeFileSync(statementFile, text);
    return promisify(execFile)("python3", [script, listFile, statementFile]).then(
      ({ stdout }) => stdout.trim(),
      ({ stdout }: { stdout: string }) => stdout.trim(),
    );
  };
  const text = await textOf(stored);
  expect(await recompute(text)).toBe("");
  // The program finds a figure that is one cent off.
  const paid = content.totals.total_paid;
  expect(await recompute(text.replace(`"total_paid": ${paid}`, `"total_paid": ${paid + 1}`))).toContain("total_paid");
});
