import { expect, test } from "vitest";
import {
  type Day,
  isComplete,
  joinDays,
  knownCashOf,
  type ReconciliationDay,
  type SalesDay,
  sumDays,
} from "../../../../../shared/web/console/app/days.ts";

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

/** A day with sales of 500 cents. The fields that no figure of the console reads are absent. */
const sold = (fields: Partial<SalesDay>): Day => ({
  date: "2026-11-03",
  sales: {
    ...{ total_paid: 500, complete: true, unknown_totals: 0, unknown_paid_amounts: 0, by_payment: [] },
    ...fields,
  } as unknown as SalesDay,
  compared: { ...day("2026-11-03"), complete: fields.complete ?? true },
});

/** A day with a deposit and without a sales day. */
const banked = (complete: boolean): Day => ({
  date: "2026-11-02",
  sales: undefined,
  compared: { ...day("2026-11-02"), cash_sales_low: 0, cash_sales_high: 0, complete },
});

test("a day without sales is known only between complete days", () => {
  expect([banked(true), banked(false)].map(isComplete)).toEqual([true, false]);
  expect([banked(true), banked(false)].map(knownCashOf)).toEqual([[0, 0], []]);
});

test("the cash of a day is not known while it is incomplete, and has no upper end if a payment is missing", () => {
  expect(knownCashOf(sold({}))).toEqual([100, 150]);
  expect(knownCashOf(sold({ unknown_paid_amounts: 1 }))).toEqual([100]);
  expect(knownCashOf(sold({ complete: false }))).toEqual([]);
});

test("sums are of the complete days, without an upper end if an amount is missing", () => {
  const days = [sold({}), sold({ complete: false, unknown_totals: 1, unknown_paid_amounts: 1 }), banked(true)];
  expect(sumDays(days)).toEqual({ isSoFar: false, days: 2, sales: [500, 500], cash: [100, 150] });
  const lacking = sold({ unknown_totals: 1, unknown_paid_amounts: 1 });
  expect(sumDays([...days, lacking])).toEqual({
    ...{ isSoFar: false, days: 3 },
    ...{ sales: [1_000, undefined], cash: [200, undefined] },
  });
});

test("if no day is complete, as with files, the sums are those of all days with sales so far", () => {
  const days = [sold({ complete: false }), sold({ complete: false }), banked(false)];
  expect(sumDays(days)).toEqual({ isSoFar: true, days: 2, sales: [1_000, 1_000], cash: [200, 300] });
  expect(sumDays([banked(false)])).toMatchObject({ isSoFar: true, days: 0 });
});
