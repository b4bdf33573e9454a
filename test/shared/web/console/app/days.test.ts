import { expect, test } from "vitest";
import { joinDays, type ReconciliationDay } from "../../../../../shared/web/console/app/days.ts";

const day = (date: string, low: number | null, high: number | null, counted: string | null): ReconciliationDay => ({
  ...{ date, cash_sales_low: 100, cash_sales_high: 150, card_sales: 0, cash_deposited: 30, card_settled: 0 },
  ...{ balance_low: low, balance_high: high, counted, days_since_deposit: 0 },
  ...{ complete: true, revision: 0, status: "within" },
});

test.each<[string, number, number]>([
  ["within the range", 1_100, 0],
  ["below the least", 1_000, -70],
  ["above the most", 1_400, 80],
])("a count %s of %d differs by %d", (_, amount, difference) => {
  const compared = [day("2026-11-02", amount, amount, "2026-11-02"), day("2026-11-01", 1_000, 1_200, "2026-10-15")];
  const [newest, before] = joinDays([], compared);
  // 1,000 and 1,200 of the day before, with the sales and without the deposits of the day.
  expect(newest?.count).toEqual({ amount, expected: [1_070, 1_320], difference });
  expect(before?.count).toBeUndefined();
});

test("before the first count nothing is expected", () => {
  const compared = [day("2026-11-02", 900, 900, "2026-11-02"), day("2026-11-01", null, null, null)];
  expect(joinDays([], compared)[0]?.count).toEqual({ amount: 900, expected: null, difference: 0 });
});

test("the days of both lists are joined, newest first", () => {
  expect(joinDays([], [day("2026-11-01", 1, 1, null), day("2026-11-03", 1, 1, null)]).map(({ date }) => date)).toEqual([
    "2026-11-03",
    "2026-11-01",
  ]);
});
