import { createHash } from "node:crypto";
import { evaluateSale, whyUnchecked } from "../saleChecks/checkSale.ts";
import { unitTexts } from "../saleChecks/checks.ts";
import { ruleName } from "../saleChecks/ruleName.ts";
import type { CheckedSale, SaleRule } from "../saleChecks/saleRule.ts";
import { addDays } from "../time/addDays.ts";
import {
  baselineWeeks,
  type DayProfile,
  daysBetween,
  dollars,
  type Finding,
  type History,
  type NamedSale,
  type SaleCase,
} from "./history.ts";
import type { CodeSettings, InsightCode, InsightSettings } from "./insightCodes.ts";

// The codes that need the sales of a day. The sales are read once: `profileDay` keeps the cases, by ids of sales and by groups of
// customers, and `saleFindings` decides later which of them are insights.

/** The fields of a stored sale that insights read (docs/spec.md#sales). */
export interface InsightSale extends Omit<CheckedSale, "customer"> {
  id: string;
  pos_sale_id?: string | null;
  type: "retail" | "wholesale";
  customer: (CheckedSale["customer"] & { customer_id: string | null; pos_customer_id: string | null }) | null;
  payments: readonly { type: string; amount_paid: number }[];
  invoice?: { pos_customer_id: string | null };
  compliance_status?: string | null;
  compliance_exceptions?: readonly string[] | null;
}

const maxAmounts = 10;
const maxRegulars = 5;
/** Cases of a day and code. Three groups of customers can be left out later. */
const maxCases = 6;
const maxSaleIds = 5;
const maxFlaggedIds = 20;

/** A customer with as many sales on a day may be an account that the shop uses for many people. */
const regularSales = 4;
/** At most three groups of customers are left out, each only if it bought so often on that number of days. */
const maxLeftOut = 3;
const minRegularDays = 14;

/**
 * What insights keep of the sales of a day.
 *
 * @param sales all sales of the day
 * @param state two-letter code of the business
 */
export function profileDay(
  sales: readonly InsightSale[],
  {
    state,
    rules,
    settings,
    isDecided = () => false,
  }: {
    state: string;
    rules: readonly SaleRule[];
    settings: InsightSettings;
    /** whether a decision was made on the insight of a single flagged sale */
    isDecided?: (saleId: string) => boolean;
  },
): DayProfile {
  // Cases must not depend on the order in which sales arrived.
  const sorted = [...sales].sort((one, other) => (one.id < other.id ? -1 : 1));
  const sold = sorted.filter(
    ({ transaction_type, total_paid }) => transaction_type === "sale" && (total_paid ?? 0) > 0,
  );
  const hours = Array.from({ length: 24 }, () => 0);
  const amounts = new Map<number, number>();
  for (const { local_date, total_paid } of sold) {
    const hour = Number(local_date.slice(11, 13));
    // Some POS and files state days without times.
    if (local_date.slice(11) !== "00:00:00.000") hours[hour] = (hours[hour] ?? 0) + 1;
    amounts.set(total_paid as number, (amounts.get(total_paid as number) ?? 0) + 1);
  }
  const byCustomer = Map.groupBy(sorted, customerOf);
  byCustomer.delete(null);
  const customers = [...byCustomer].map(([key, all]) => ({
    group: customerGroup(key as string),
    all,
    sold: all.filter(({ transaction_type }) => transaction_type === "sale"),
  }));
  return {
    paid: sold.length,
    hours,
    amounts: mostOf(amounts, 2, maxAmounts),
    regulars: mostOf(sumByGroup(customers), regularSales, maxRegulars),
    cases: [
      ...flaggedSales(sorted, isDecided),
      ...largest(largeCash(sorted, customers, settings.large_cash_payment)),
      ...largest(customers.flatMap((customer) => limitCases(customer, state, rules))),
      ...largest(customers.flatMap((customer) => repeatCases(customer, state, rules, settings.repeat_purchases))),
    ],
    checks: countChecks(sorted, state, rules),
  };
}

function countChecks(sales: readonly InsightSale[], state: string, rules: readonly SaleRule[]): DayProfile["checks"] {
  const retail = sales.filter(({ type }) => type === "retail");
  const unchecked = new Map<string, number>();
  for (const { customer, ...sale } of retail) {
    if ((sale.compliance_status ?? "unchecked") !== "unchecked") continue;
    const why = whyUnchecked({ ...sale, customer: customer ?? unknownCustomer }, state, rules);
    unchecked.set(why, (unchecked.get(why) ?? 0) + 1);
  }
  return { retail: retail.length, unchecked: Object.fromEntries([...unchecked].sort()) };
}

const unknownCustomer: CheckedSale["customer"] = { type: null, dob: null, id_type: null, id_expiration_date: null };

/** The sales of one customer on a day. */
interface CustomerSales {
  group: number;
  /** with returns and adjustments */
  all: readonly InsightSale[];
  sold: readonly InsightSale[];
}

const customerOf = ({ customer, invoice }: InsightSale): string | null =>
  customer?.customer_id ?? customer?.pos_customer_id ?? invoice?.pos_customer_id ?? null;

/** One of 256 groups of customers, so that no stored value leads to a person. */
const customerGroup = (key: string): number => createHash("sha256").update(key).digest()[0] as number;

function sumByGroup(customers: readonly CustomerSales[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { group, sold } of customers) {
    if (sold.length >= regularSales) sums.set(group, (sums.get(group) ?? 0) + sold.length);
  }
  return sums;
}

/** The most frequent values, of those that occur often enough; of equally frequent ones the smaller first. */
const mostOf = (counts: ReadonlyMap<number, number>, min: number, max: number): [number, number][] =>
  [...counts]
    .filter(([, count]) => count >= min)
    .sort(([one, a], [other, b]) => b - a || one - other)
    .slice(0, max);

const largest = (cases: readonly SaleCase[]): SaleCase[] =>
  [...cases]
    .sort(
      (one, other) => other.measured - one.measured || ((one.sales[0]?.id ?? "") < (other.sales[0]?.id ?? "") ? -1 : 1),
    )
    .slice(0, maxCases);

/** Texts of findings begin with the id of their rule. The rest may state facts about a person. */
const rulesBrokenBy = ({ compliance_exceptions: texts }: InsightSale): string[] => [
  ...new Set((texts ?? []).map((text) => text.slice(0, text.indexOf(": ")))),
];

/** @param rules ids of the rules that the sales break together */
const namedSales = (sales: readonly InsightSale[], rules: readonly string[] = [], max = maxSaleIds): NamedSale[] =>
  sales
    .slice(0, max)
    .map((sale) => ({
      id: sale.id,
      receipt: sale.pos_sale_id ?? null,
      rules: [...new Set([...rulesBrokenBy(sale), ...rules])],
    }));

/** Sales whose insight was decided come first, and all of them are kept, because each keeps its insight. */
function flaggedSales(sales: readonly InsightSale[], isDecided: (saleId: string) => boolean): SaleCase[] {
  const flagged = sales.filter(({ compliance_status }) => compliance_status === "red_flag");
  if (flagged.length === 0) return [];
  const decided = flagged.filter(({ id }) => isDecided(id));
  const others = flagged.filter(({ id }) => !isDecided(id));
  const named = namedSales([...decided, ...others], [], Math.max(maxFlaggedIds, decided.length));
  return [
    {
      code: "flagged_sale",
      group: null,
      measured: flagged.length,
      expected: 0,
      unit: "sales",
      sales: named,
      criterion: "",
      detail: "",
    },
  ];
}

const cashOf = ({ payments }: InsightSale): number =>
  payments.reduce((sum, { type, amount_paid }) => sum + (type === "cash" ? amount_paid : 0), 0);

/** A single sale counts for itself, so it is found even if its customer is unknown or is left out. */
function largeCash(
  sales: readonly InsightSale[],
  customers: readonly CustomerSales[],
  { threshold }: CodeSettings,
): SaleCase[] {
  const limit = threshold ?? 0;
  const toCase = (group: number | null, paid: readonly InsightSale[]): SaleCase[] => {
    const measured = paid.reduce((sum, sale) => sum + cashOf(sale), 0);
    if (measured <= limit) return [];
    const named = namedSales(paid.filter((sale) => cashOf(sale) > 0));
    return [
      {
        code: "large_cash_payment",
        group,
        measured,
        expected: limit,
        unit: "cents",
        sales: named,
        criterion: `cash of one customer on a day above ${dollars(limit)}`,
        detail: dollars(measured),
      },
    ];
  };
  const single = sales.filter((sale) => cashOf(sale) > limit);
  const inSingle = new Set(single.map(customerOf));
  const several = customers.filter(({ all }) => all.length > 1 && !inSingle.has(customerOf(all[0] as InsightSale)));
  return [
    ...single.flatMap((sale) => toCase(null, [sale])),
    ...several.flatMap(({ group, all }) => toCase(group, all)),
  ];
}

const limitChecks = ["daily_limit", "transaction_limit"];
/** Buyers who may buy for several people. */
const mayBuyForOthers = ["caregiver", "minor_medical", "temporary_minor_medical"];

/** What a sale counts against each limit of its day: a lower bound. */
function limitValues(
  sale: InsightSale,
  state: string,
  rules: readonly SaleRule[],
): { rule: SaleRule; value: number }[] {
  if (sale.type !== "retail" || !sale.customer || mayBuyForOthers.includes(sale.customer.id_type ?? "")) return [];
  return evaluateSale({ ...sale, customer: sale.customer }, state, rules).flatMap(({ rule, value, why }) =>
    limitChecks.includes(rule.check) && typeof value === "number" && why !== "not_applicable" ? [{ rule, value }] : [],
  );
}

/** Whether something was taken back on the day: then the sums may be smaller than they look. */
const isReduced = ({ all, sold }: CustomerSales): boolean =>
  all.length > sold.length || sold.some(({ line_items }) => line_items.some(({ num_units }) => (num_units ?? 0) < 0));

/** Several sales of a customer that together exceed a limit of a day. A single sale above it is a finding of the sale itself. */
function limitCases(customer: CustomerSales, state: string, rules: readonly SaleRule[]): SaleCase[] {
  if (customer.sold.length < 2 || isReduced(customer)) return [];
  const sums = new Map<SaleRule, { sum: number; sales: InsightSale[]; greatest: number }>();
  for (const sale of customer.sold) {
    for (const { rule, value } of limitValues(sale, state, rules)) {
      const { sum, sales, greatest } = sums.get(rule) ?? { sum: 0, sales: [], greatest: 0 };
      sums.set(rule, { sum: sum + value, sales: [...sales, sale], greatest: Math.max(greatest, value) });
    }
  }
  const exceeded = [...sums].filter(([rule, { sum, greatest }]) => {
    const limit = Number(rule.value) + (rule.tolerance ?? 0);
    return rule.check === "daily_limit" && sum > limit && greatest <= limit;
  });
  return exceeded.slice(0, 1).map(([rule, { sum, sales }]) => {
    const measured = Math.round(sum * 1000) / 1000;
    const detail = `${measured} ${unitTexts[rule.unit ?? ""] ?? ""}, limit ${rule.value} (${rule.id})`;
    return {
      code: "daily_limit_exceeded",
      group: customer.group,
      measured: sales.length,
      expected: 0,
      unit: "sales",
      sales: namedSales(sales, [rule.id]),
      criterion: "the sales of one customer on a day exceed a limit of the day",
      detail,
    };
  });
}

/** A share of a limit that is close to it. */
const closeToLimit = 0.8;

/** A customer with many sales on a day, or with two close to a limit. */
function repeatCases(
  { group, sold }: CustomerSales,
  state: string,
  rules: readonly SaleRule[],
  { threshold }: CodeSettings,
): SaleCase[] {
  const criterion = `one customer with ${threshold} sales on a day, or two close to a limit`;
  const found = (sales: readonly InsightSale[], expected: number, detail: string): SaleCase[] => [
    {
      code: "repeat_purchases",
      group,
      measured: sales.length,
      expected,
      unit: "sales",
      sales: namedSales(sales),
      criterion,
      detail,
    },
  ];
  if (sold.length >= (threshold ?? 0)) return found(sold, threshold ?? 0, `${sold.length} sales to one customer`);
  if (sold.length < 2) return [];
  const close = sold.filter((sale) =>
    limitValues(sale, state, rules).some(
      ({ rule, value }) =>
        value >= closeToLimit * Number(rule.value) && value <= Number(rule.value) + (rule.tolerance ?? 0),
    ),
  );
  const share = `${100 * closeToLimit} % of a limit`;
  return close.length >= 2 ? found(close, 2, `${close.length} sales to one customer, each of at least ${share}`) : [];
}

/** The groups of customers that bought often on many of the 56 days before: accounts that a shop uses for many people. */
function leftOut(history: History, date: string): Set<number> {
  const days = daysBetween(addDays(date, -7 * baselineWeeks), addDays(date, -1));
  const sums = new Map<number, { days: number; sales: number }>();
  for (const day of days) {
    for (const [group, sales] of history.get(day)?.profile?.regulars ?? []) {
      const before = sums.get(group) ?? { days: 0, sales: 0 };
      sums.set(group, { days: before.days + 1, sales: before.sales + sales });
    }
  }
  const regular = [...sums].filter(([, sum]) => sum.days >= minRegularDays);
  regular.sort(([one, a], [other, b]) => b.sales - a.sales || one - other);
  return new Set(regular.slice(0, maxLeftOut).map(([group]) => group));
}

/** From this number of flagged sales on, one insight stands for those of a day that are not decided. */
const manyFlagged = 20;

/**
 * The findings about the sales of a day.
 *
 * @param isDecided whether a decision was made on the insight of a single flagged sale
 */
export function saleFindings(
  history: History,
  date: string,
  settings: InsightSettings,
  isDecided: (saleId: string, date: string) => boolean,
): Finding[] {
  const cases = history.get(date)?.profile?.cases ?? [];
  if (cases.length === 0) return [];
  const [flagged, ...others] = [...cases].sort((one) => (one.code === "flagged_sale" ? -1 : 1));
  const found = flagged?.code === "flagged_sale" ? flaggedFindings(flagged, date, (id) => isDecided(id, date)) : [];
  const customers = flagged?.code === "flagged_sale" ? others : cases;
  const days = daysBetween(addDays(date, -7 * baselineWeeks), addDays(date, -1));
  const known = days.filter((day) => history.get(day)?.profile).length;
  const groups = leftOut(history, date);
  const byCode = Map.groupBy(
    customers.filter(
      ({ code, group }) => group === null || (!groups.has(group) && known >= settings[code].minimum_history),
    ),
    ({ code }) => code,
  );
  return [...found, ...[...byCode].map(([code, some]) => customerFinding(code, some, date))];
}

function flaggedFindings({ measured, sales }: SaleCase, date: string, isDecided: (id: string) => boolean): Finding[] {
  const finding = (subject: string | null, count: number, named: readonly NamedSale[], sentence: string): Finding => ({
    code: "flagged_sale",
    start_date: date,
    end_date: date,
    subject,
    measured: count,
    expected: 0,
    unit: "sales",
    criterion: `a sale that breaks a rule; from ${manyFlagged} on a day, one insight for those that are not decided`,
    sentence,
    windows: [[date, date]],
    sales: named,
  });
  const single = (sale: NamedSale) => {
    const rules = sale.rules.map((id) => `${ruleName(id)} (${id})`).join("; ");
    return finding(sale.id, 1, [sale], `A sale on ${date} breaks a sale rule${rules && `: ${rules}`}.`);
  };
  if (measured < manyFlagged) return sales.map(single);
  const decided = sales.filter(({ id }) => isDecided(id));
  const open = sales.filter(({ id }) => !isDecided(id));
  const count = measured - decided.length;
  const together = `${count} ${count === 1 ? "sale" : "sales"} on ${date} ${count === 1 ? "breaks" : "break"} a sale rule.`;
  return [...decided.map(single), ...(count > 0 ? [finding(null, count, open, together)] : [])];
}

function customerFinding(code: InsightCode, cases: readonly SaleCase[], date: string): Finding {
  const [first] = cases as [SaleCase];
  const customers = cases.length === 1 ? "one customer" : `${cases.length} customers`;
  const texts: Partial<Record<InsightCode, string>> = {
    large_cash_payment: "paid much cash",
    daily_limit_exceeded: "exceeded a limit of the day",
    repeat_purchases: "bought conspicuously often",
  };
  return {
    code,
    start_date: date,
    end_date: date,
    subject: null,
    measured: first.measured,
    expected: first.expected,
    unit: first.unit,
    criterion: first.criterion,
    sentence: `On ${date} ${customers} ${texts[code]}: ${cases.map(({ detail }) => detail).join("; ")}.`,
    windows: [[date, date]],
    sales: cases.flatMap(({ sales }) => sales).slice(0, 20),
  };
}
