import type { complianceStatuses, medicalOrRec, paymentTypes, transactionTypes } from "../../api/enumerations.ts";
import { sum } from "../../money/sums.ts";
import { feesOf, isMismatched, type SaleAmounts } from "./saleAmounts.ts";

/**
 * The counts and sums of a sales day (docs/spec.md#sales-days) in the order in which they are stored. Append new names at
 * the end, because stored days refer to a figure by its place.
 */
const figureNames = [
  "records",
  "sales",
  "returns",
  "adjustments",
  "subtotal",
  "total_discounts",
  "fees",
  "tax_paid",
  "total_paid",
  "invoiced",
  "open_balance",
  "unknown_amounts",
  "mismatched",
  "medical.count",
  "medical.total_paid",
  "rec.count",
  "rec.total_paid",
  "unknown.count",
  "unknown.total_paid",
  "cash.payments",
  "cash.amount",
  "check.payments",
  "check.amount",
  "debit.payments",
  "debit.amount",
  "credit.payments",
  "credit.amount",
  "multiple.payments",
  "multiple.amount",
  "ach.payments",
  "ach.amount",
  "wire.payments",
  "wire.amount",
  "other.payments",
  "other.amount",
  "unknown.payments",
  "unknown.amount",
  "gross_sales",
  "unchecked.count",
  "unchecked.total_paid",
  "svc_checked.count",
  "svc_checked.total_paid",
  "warning.count",
  "warning.total_paid",
  "red_flag.count",
  "red_flag.total_paid",
] as const;

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
  const figures: Partial<Record<FigureName, number>> = {
    records: 1,
    subtotal: subtotal ?? 0,
    total_discounts: total_discounts ?? 0,
    fees: sum(feesOf(sale).map(({ flat_amount }) => flat_amount)),
    tax_paid: tax_paid ?? 0,
    total_paid: total_paid ?? 0,
    invoiced: invoice?.total ?? 0,
    open_balance: invoice?.open_balance ?? 0,
    unknown_amounts: Number(lacksAmount(sale)),
    mismatched: Number(isMismatched(sale)),
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
  const paid = paidAmount(sale);
  if (payments.length === 0 && paid) {
    add("unknown.payments", 1);
    add("unknown.amount", paid);
  }
  return figures;
}

/** The total less the open balance; null if the POS does not report one of them. */
function paidAmount({ total_paid, invoice }: Sale): number | null {
  const open = invoice ? invoice.open_balance : 0;
  return total_paid === null || open === null ? null : total_paid - open;
}

/** Whether one of the summed amounts is null, because the POS does not report it. */
function lacksAmount(sale: Sale): boolean {
  const { subtotal, total_discounts, tax_paid, total_paid, invoice } = sale;
  const fees = feesOf(sale).map(({ flat_amount }) => flat_amount);
  const amounts = [subtotal, total_discounts, tax_paid, total_paid, ...fees];
  return [...amounts, ...(invoice ? [invoice.total, invoice.open_balance] : [])].includes(null);
}

export function addFigures(one: DayFigures, other: DayFigures): DayFigures {
  return combine(one, other, 1);
}

export function subtractFigures(one: DayFigures, other: DayFigures): DayFigures {
  return combine(one, other, -1);
}

function combine(one: DayFigures, other: DayFigures, sign: 1 | -1): DayFigures {
  return Object.fromEntries(figureNames.map((name) => [name, (one[name] ?? 0) + sign * (other[name] ?? 0)]));
}

export function isSameFigures(one: DayFigures, other: DayFigures): boolean {
  return figureNames.every((name) => (one[name] ?? 0) === (other[name] ?? 0));
}

/**
 * Figures that can be estimated from others, with the figures to add and to subtract. Stored weeks have only the difference
 * from the estimate, which makes them about a tenth smaller. An estimate may use figures that come earlier in this list, and
 * figures that are not in it.
 */
const estimates: readonly (readonly [FigureName, plus: readonly FigureName[], minus: readonly FigureName[]])[] = [
  ["records", ["sales", "returns", "adjustments"], []],
  ["total_paid", ["subtotal", "fees", "tax_paid"], []],
  ["rec.count", ["records"], ["medical.count", "unknown.count"]],
  ["rec.total_paid", ["total_paid"], ["medical.total_paid", "unknown.total_paid"]],
  ["gross_sales", ["total_paid"], []],
  ["unchecked.count", ["records"], ["svc_checked.count", "warning.count", "red_flag.count"]],
  ["unchecked.total_paid", ["total_paid"], ["svc_checked.total_paid", "warning.total_paid", "red_flag.total_paid"]],
  ["cash.payments", ["records"], otherPayments("payments")],
  ["cash.amount", ["total_paid"], ["open_balance", ...otherPayments("amount")]],
];

function otherPayments<Kind extends "payments" | "amount">(kind: Kind) {
  const types = ["check", "debit", "credit", "multiple", "ach", "wire", "other", "unknown"] as const;
  return types.map((type) => `${type}.${kind}` as const);
}

/**
 * The figures as a list of numbers in the order of their names, without the zeros at the end. A figure with an estimate is
 * stored as the difference from it.
 */
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
  const figures: Partial<Record<FigureName, number>> = Object.fromEntries(
    figureNames.map((name, i) => [name, numbers[i] ?? 0]),
  );
  for (const [name, plus, minus] of estimates) {
    figures[name] = (figures[name] ?? 0) + sumOf(figures, plus) - sumOf(figures, minus);
  }
  return figures;
}

function sumOf(figures: DayFigures, names: readonly FigureName[]): number {
  return names.reduce((total, name) => total + (figures[name] ?? 0), 0);
}
