import type { complianceStatuses, medicalOrRec, paymentTypes, transactionTypes } from "../../api/enumerations.ts";
import { sum } from "../../money/sums.ts";
import { feesOf, isMismatched, paidAmount, type SaleAmounts } from "./saleAmounts.ts";

/** The figures of several groups of sales. */
const figuresOf = <Group extends string, Name extends string>(groups: readonly Group[], ...names: readonly Name[]) =>
  groups.flatMap((group) => names.map((name) => `${group}.${name}` as const));

const uncommonPayments = ["check", "debit", "credit", "multiple", "ach", "wire", "other", "unknown"] as const;

/** The figures of a day (docs/spec.md#sales-days). Append new names: stored days refer to a figure by its place. */
const figureNames = [
  ...(["records", "sales", "returns", "adjustments", "subtotal", "total_discounts", "fees", "tax_paid"] as const),
  ...(["total_paid", "invoiced", "open_balance", "unknown_amounts", "mismatched"] as const),
  ...figuresOf(["medical", "rec", "unknown"], "count", "total_paid"),
  ...figuresOf(["cash", ...uncommonPayments], "payments", "amount"),
  "gross_sales" as const,
  ...figuresOf(["unchecked", "svc_checked", "warning", "red_flag"], "count", "total_paid"),
  ...(["unknown_subtotals", "unknown_totals", "unknown_paid_amounts"] as const),
];

export type FigureName = (typeof figureNames)[number];

/** Counts, and sums in cents. An absent figure is 0. */
export type DayFigures = Readonly<Partial<Record<FigureName, number>>>;

/** The fields of an API sale on which figures depend. */
export interface Sale extends SaleAmounts {
  transaction_type: (typeof transactionTypes)[number] | null;
  customer: { type: (typeof medicalOrRec)[number] | null } | null;
  payments: readonly { type: (typeof paymentTypes)[number]; amount_paid: number }[];
  invoice?: { open_balance: number | null; total: number | null };
  /** retail only */
  compliance_status?: (typeof complianceStatuses)[number] | null;
}

const countNames = { sale: "sales", return: "returns", adjustment: "adjustments" } as const;

/** The figures of one sale. Amounts of returns are negative, so they are subtracted from the sums of the day. */
export function saleFigures(sale: Sale): DayFigures {
  const { transaction_type: type, subtotal, total_discounts, tax_paid, total_paid, payments, invoice } = sale;
  const fees = feesOf(sale).map(({ flat_amount }) => flat_amount);
  const invoiced = invoice ? [invoice.total, invoice.open_balance] : [];
  const paid = paidAmount(sale);
  const figures: Partial<Record<FigureName, number>> = {
    records: 1,
    subtotal: subtotal ?? 0,
    total_discounts: total_discounts ?? 0,
    fees: sum(fees),
    tax_paid: tax_paid ?? 0,
    total_paid: total_paid ?? 0,
    invoiced: invoice?.total ?? 0,
    open_balance: invoice?.open_balance ?? 0,
    // The POS does not report an amount that is null.
    unknown_amounts: Number([subtotal, total_discounts, tax_paid, total_paid, ...fees, ...invoiced].includes(null)),
    mismatched: Number(isMismatched(sale)),
    unknown_subtotals: Number(subtotal === null),
    unknown_totals: Number(total_paid === null),
    unknown_paid_amounts: Number(paid === null),
  };
  const add = (name: FigureName, value: number) => {
    figures[name] = (figures[name] ?? 0) + value;
  };
  if (type) add(countNames[type], 1);
  const customerType = sale.customer?.type ?? "unknown";
  add(`${customerType}.count`, 1);
  add(`${customerType}.total_paid`, total_paid ?? 0);
  if (type !== "return") add("gross_sales", total_paid ?? 0);
  if (sale.type === "retail") {
    add(`${sale.compliance_status ?? "unchecked"}.count`, 1);
    add(`${sale.compliance_status ?? "unchecked"}.total_paid`, total_paid ?? 0);
  }
  for (const payment of payments) {
    add(`${payment.type}.payments`, 1);
    add(`${payment.type}.amount`, payment.amount_paid);
  }
  if (payments.length === 0 && paid) {
    add("unknown.payments", 1);
    add("unknown.amount", paid);
  }
  return figures;
}

export const addFigures = (one: DayFigures, other: DayFigures): DayFigures => combine(one, other, 1);
export const subtractFigures = (one: DayFigures, other: DayFigures): DayFigures => combine(one, other, -1);
const combine = (one: DayFigures, other: DayFigures, sign: 1 | -1): DayFigures =>
  Object.fromEntries(figureNames.map((name) => [name, (one[name] ?? 0) + sign * (other[name] ?? 0)]));

export const isSameFigures = (one: DayFigures, other: DayFigures): boolean =>
  figureNames.every((name) => (one[name] ?? 0) === (other[name] ?? 0));

/**
 * Figures that can be estimated from others, with the figures to add and to subtract. The differences make stored weeks
 * about a tenth smaller. An estimate may use earlier figures of this list, and figures that are not in it.
 */
const estimates: readonly (readonly [FigureName, plus: readonly FigureName[], minus: readonly FigureName[]])[] = [
  ["records", ["sales", "returns", "adjustments"], []],
  ["total_paid", ["subtotal", "fees", "tax_paid"], []],
  ["rec.count", ["records"], ["medical.count", "unknown.count"]],
  ["rec.total_paid", ["total_paid"], ["medical.total_paid", "unknown.total_paid"]],
  ["gross_sales", ["total_paid"], []],
  ["unchecked.count", ["records"], ["svc_checked.count", "warning.count", "red_flag.count"]],
  ["unchecked.total_paid", ["total_paid"], ["svc_checked.total_paid", "warning.total_paid", "red_flag.total_paid"]],
  ["cash.payments", ["records"], figuresOf(uncommonPayments, "payments")],
  ["cash.amount", ["total_paid"], ["open_balance", ...figuresOf(uncommonPayments, "amount")]],
];

/** The figures in the order of their names, as differences from their estimates, without the zeros at the end. */
export function packFigures(figures: DayFigures): number[] {
  const differences: Partial<Record<FigureName, number>> = { ...figures };
  for (const [name, plus, minus] of estimates) {
    differences[name] = (figures[name] ?? 0) - sumOf(figures, plus) + sumOf(figures, minus);
  }
  const numbers = figureNames.map((name) => differences[name] ?? 0);
  return numbers.slice(0, numbers.findLastIndex((number) => number !== 0) + 1);
}

/** Reverses `packFigures`. */
export function unpackFigures(numbers: readonly number[]): DayFigures {
  const figures: Partial<Record<FigureName, number>> = {};
  for (const [i, name] of figureNames.entries()) figures[name] = numbers[i] ?? 0;
  for (const [name, plus, minus] of estimates) {
    figures[name] = (figures[name] ?? 0) + sumOf(figures, plus) - sumOf(figures, minus);
  }
  return figures;
}

const sumOf = (figures: DayFigures, names: readonly FigureName[]): number =>
  names.reduce((total, name) => total + (figures[name] ?? 0), 0);
