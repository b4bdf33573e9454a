import { unclearPaymentTypes } from "../../../api/enumerations.ts";
import type { Output } from "./operations.ts";

export type SalesDay = Output<"listCrbSalesDays">["data"][number];
export type ReconciliationDay = Output<"listReconciliationDays">["data"][number];

/** A business day with its sales and, if it is compared, its deposits. */
export interface Day {
  date: string;
  sales: SalesDay | undefined;
  compared: ReconciliationDay | undefined;
  count: CountedCash | undefined;
}

/** A count of cash, and what should have been there before it, in cents. */
interface CountedCash {
  amount: number;
  /** Null for the first count: nothing is known before it. */
  expected: readonly [low: number, high: number] | null;
  /** The missing (negative) or excess cash beyond the expected range. */
  difference: number;
}

/** All days of both lists, newest first. */
export function joinDays(sales: readonly SalesDay[], compared: readonly ReconciliationDay[]): Day[] {
  const dates = new Set([...sales, ...compared].map(({ date }) => date));
  return [...dates]
    .sort()
    .reverse()
    .map((date) => {
      const place = compared.findIndex((day) => day.date === date);
      return {
        date,
        sales: sales.find((day) => day.date === date),
        compared: compared[place],
        count: compared[place] && countOf(compared[place], compared[place + 1]),
      };
    });
}

/**
 * The count of a day, from which its balance begins. The list has no count of its own: the least balance is the count.
 *
 * @param before the day before it in the list
 */
function countOf(day: ReconciliationDay, before: ReconciliationDay | undefined): CountedCash | undefined {
  const amount = day.balance_low;
  if (day.counted !== day.date || amount === null) return undefined;
  if (before?.balance_low == null || before.balance_high === null) return { amount, expected: null, difference: 0 };
  const low = before.balance_low + day.cash_sales_low - day.cash_deposited;
  const high = before.balance_high + day.cash_sales_high - day.cash_deposited;
  return { amount, expected: [low, high], difference: Math.min(amount - low, 0) + Math.max(amount - high, 0) };
}

const amountOf = (day: SalesDay | undefined, types: readonly string[]): number =>
  day?.by_payment.reduce((sum, { type, amount }) => sum + (types.includes(type) ? amount : 0), 0) ?? 0;

/** The cash of a day; a range where the POS does not say how it was paid. */
export const cashOf = ({ sales, compared }: Day): [low: number, high: number] => {
  if (compared) return [compared.cash_sales_low, compared.cash_sales_high];
  const cash = amountOf(sales, ["cash"]);
  const unclear = unclearPaymentTypes.map((type) => amountOf(sales, [type]));
  const sum = (bound: (amount: number) => number) => unclear.reduce((all, amount) => all + bound(amount), cash);
  return [sum((amount) => Math.min(amount, 0)), sum((amount) => Math.max(amount, 0))];
};
export const cardsOf = ({ sales }: Day): number => amountOf(sales, ["debit", "credit"]);
export const transfersOf = ({ sales }: Day): number => amountOf(sales, ["ach", "wire", "check"]);
