import { complianceStatuses, paymentTypes } from "../../api/enumerations.ts";
import type { SalesDay } from "../../api/schemas/salesDay.ts";
import type { StatementTotals } from "./statementContent.ts";

const figures = [
  "records",
  "sales",
  "returns",
  "adjustments",
  "gross_sales",
  "subtotal",
  "total_discounts",
  "fees",
  "tax_paid",
  "total_paid",
  "invoiced",
  "open_balance",
  "unknown_amounts",
  "mismatched",
] as const;

const customerTypes = ["medical", "rec", "unknown"] as const;

const sumOf = <T>(all: readonly T[], value: (one: T) => number): number =>
  all.reduce((sum, one) => sum + value(one), 0);

/** Percent with two decimals, halves rounded up; null if the whole is 0. A division first would round some halves down. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 10_000) / whole) / 100;

/** The sums of sales days, with the share of each row in the sum of its table. */
export function totalsOf(days: readonly Pick<SalesDay, (typeof figures)[number] | Table>[]): StatementTotals {
  const sums = Object.fromEntries(figures.map((name) => [name, sumOf(days, (day) => day[name])])) as Pick<
    StatementTotals,
    (typeof figures)[number]
  >;
  const payments = paymentTypes
    .map((type) => {
      const rows = days.flatMap(({ by_payment }) => by_payment.filter((each) => each.type === type));
      return { type, count: sumOf(rows, ({ count }) => count), amount: sumOf(rows, ({ amount }) => amount) };
    })
    .filter(({ count }) => count > 0);
  const paid = sumOf(payments, ({ amount }) => amount);
  const counted = <Name extends string>(
    names: readonly Name[],
    row: (day: (typeof days)[number], name: Name) => { count: number; total_paid: number },
  ) => {
    const rows = names.map((name) => ({
      name,
      count: sumOf(days, (day) => row(day, name).count),
      total_paid: sumOf(days, (day) => row(day, name).total_paid),
    }));
    const whole = sumOf(rows, ({ total_paid }) => total_paid);
    return rows.map(({ name, count, total_paid }) => ({ name, count, total_paid, share: shareOf(total_paid, whole) }));
  };
  return {
    ...sums,
    by_payment: payments.map((row) => ({ ...row, share: shareOf(row.amount, paid) })),
    by_customer_type: counted(customerTypes, (day, type) => day.by_customer_type[type]).map(({ name, ...row }) => ({
      type: name,
      ...row,
    })),
    by_compliance: counted(complianceStatuses, (day, status) => day.by_compliance[status]).map(({ name, ...row }) => ({
      status: name,
      ...row,
    })),
  };
}

type Table = "by_payment" | "by_customer_type" | "by_compliance";
