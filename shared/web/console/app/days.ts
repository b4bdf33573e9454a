import { unclearPaymentTypes } from "../../../api/enumerations.ts";
import type { Output } from "./operations.ts";

export type SalesDay = Output<"listCrbSalesDays">["data"][number];
export type ReconciliationDay = Output<"listReconciliationDays">["data"][number];

/** A business day with its sales and, if it is compared, its deposits. */
export interface Day {
  date: string;
  sales: SalesDay | undefined;
  compared: ReconciliationDay | undefined;
}

/** All days of both lists, newest first. */
export function joinDays(sales: readonly SalesDay[], compared: readonly ReconciliationDay[]): Day[] {
  const dates = new Set([...sales, ...compared].map(({ date }) => date));
  return [...dates]
    .sort()
    .reverse()
    .map((date) => ({
      date,
      sales: sales.find((day) => day.date === date),
      compared: compared.find((day) => day.date === date),
    }));
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
