import { ruleName } from "../../../saleChecks/ruleName.ts";
import { inDollars } from "./format.ts";
import type { Output } from "./operations.ts";

export type SaleCheck = Output<"explainCrbSaleChecks">["checks"][number];

type Sale = Output<"listCrbSales">["data"][number];

/** The names of the rules that a sale breaks. Texts of the breaks are not shown, since they can state a customer's age. */
export function rulesBrokenBy(sale: Sale): string[] {
  if (sale.type !== "retail") return [];
  const texts = [...(sale.compliance_exceptions ?? []), ...(sale.compliance_warnings ?? [])];
  return [...new Set(texts.map((text) => ruleName(text.split(":")[0] ?? "")))];
}

/** The status of a sale. Wholesale sales are not checked. */
export const statusOf = (sale: Sale): string =>
  sale.type === "retail" ? (sale.compliance_status ?? "unchecked") : "unchecked";

const units: Readonly<Record<string, string>> = {
  g_flower_equivalent: "g counted as flower",
  g_flower: "g of flower",
  g_concentrate: "g of concentrate",
  g_per_edible: "g each",
  g_per_cartridge: "g each",
  years: "years",
};

type Amount = SaleCheck["limit"];

const inUnit = (amount: Amount, unit: string | null): string => {
  const number = typeof amount === "number" ? amount.toLocaleString() : amount;
  return [number, unit !== null && unit !== "local_time" && (units[unit] ?? unit)].filter(Boolean).join(" ");
};

/** The limit of a rule in words. */
export const limitOf = ({ limit, unit }: SaleCheck): string => (limit === null ? "no number" : inUnit(limit, unit));

/** The amounts that state nothing about the customer. */
const isOfSale = ({ rule_id, unit }: SaleCheck): boolean =>
  unit === null ? /\.(sale_without_tax|free_product)\b/.test(rule_id) : unit === "local_time" || unit.startsWith("g_");

/** What the sale has, in words; undefined for an amount about the customer, such as an age, which is never shown. */
export function amountOf(check: SaleCheck): string | undefined {
  const { value, unit, rule_id } = check;
  if (value === null || !isOfSale(check)) return undefined;
  if (rule_id.includes(".sale_without_tax") && typeof value === "number") return `${inDollars(value)} of tax`;
  if (rule_id.includes(".free_product")) return `${value} free lines`;
  // Missing amounts make a sum a lower bound.
  return `${check.outcome === "not_evaluated" ? "at least " : ""}${inUnit(value, unit)}`;
}

/** Breaks first, then what could not be checked, what passed, and rules that do not concern the sale. */
const rank = ({ outcome, why }: SaleCheck): number =>
  outcome === "violated" ? 0 : why === "not_applicable" ? 3 : outcome === "not_evaluated" ? 1 : 2;

export const inOrder = (checks: readonly SaleCheck[]): SaleCheck[] =>
  checks.toSorted((one, other) => rank(one) - rank(other));
