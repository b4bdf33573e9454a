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

/** Whether all sales of a day are known. A day without a sales day can be complete, too: it had none. */
export const isComplete = ({ sales, compared }: Day): boolean => (sales ?? compared)?.complete ?? false;

/** Whether a sale of the day lacks its total. The sum is then the least that it can be (docs/spec.md#unknown-amounts). */
export const lacksTotal = ({ sales }: { sales: Pick<SalesDay, "unknown_totals"> | undefined }): boolean =>
  (sales?.unknown_totals ?? 0) > 0;

/** The same for all payments. */
export const lacksPayment = ({ sales }: { sales: Pick<SalesDay, "unknown_paid_amounts"> | undefined }): boolean =>
  (sales?.unknown_paid_amounts ?? 0) > 0;

/** The cash of a day; a range where the POS does not say how it was paid. */
export const cashOf = ({ sales, compared }: Day): [low: number, high: number] => {
  if (compared) return [compared.cash_sales_low, compared.cash_sales_high];
  const cash = amountOf(sales, ["cash"]);
  const unclear = unclearPaymentTypes.map((type) => amountOf(sales, [type]));
  const sum = (bound: (amount: number) => number) => unclear.reduce((all, amount) => all + bound(amount), cash);
  return [sum((amount) => Math.min(amount, 0)), sum((amount) => Math.max(amount, 0))];
};

/** The known ends of the cash of a complete day: only the lower one if it lacks payments, none if it is incomplete. */
export const knownCashOf = (day: Day): readonly number[] =>
  isComplete(day) ? cashOf(day).slice(0, lacksPayment(day) ? 1 : 2) : [];

/** The sums of the complete days, or of all days with sales if none is complete. */
export function sumDays(days: readonly Day[]) {
  const complete = days.filter(isComplete);
  const isSoFar = complete.length === 0;
  const summed = isSoFar ? days.filter(({ sales }) => sales) : complete;
  const sumOf = (amountIn: (day: Day) => number) => summed.reduce((sum, day) => sum + amountIn(day), 0);
  const sales = sumOf((day) => day.sales?.total_paid ?? 0);
  return {
    isSoFar,
    days: summed.length,
    /** Cents: the least and the most, which is not known if a day lacks an amount. */
    sales: [sales, summed.some(lacksTotal) ? undefined : sales] as const,
    cash: [
      sumOf((day) => cashOf(day)[0]),
      summed.some(lacksPayment) ? undefined : sumOf((day) => cashOf(day)[1]),
    ] as const,
  };
}

export const cardsOf = ({ sales }: Day): number => amountOf(sales, ["debit", "credit"]);
export const transfersOf = ({ sales }: Day): number => amountOf(sales, ["ach", "wire", "check"]);
