import { expect, test } from "vitest";
import { joinDays, type ReconciliationDay } from "../../../../../shared/web/console/app/days.ts";

const day = (date: string): ReconciliationDay => ({
  ...{ date, cash_sales_low: 100, cash_sales_high: 150, card_sales: 0, cash_deposited: 30, card_settled: 0 },
  ...{ balance_low: 1, balance_high: 1, counted: null, count_difference: null, days_since_deposit: 0 },
  ...{ complete: true, revision: 0, status: "within" },
});

test("the days of both lists are joined, newest first", () => {
  expect(joinDays([], [day("2026-11-01"), day("2026-11-03")]).map(({ date }) => date)).toEqual([
    "2026-11-03",
    "2026-11-01",
  ]);
});
