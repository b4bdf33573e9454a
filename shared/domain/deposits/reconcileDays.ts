import type { ReconciliationDay, ReconciliationSettings } from "../../api/schemas/reconciliation.ts";
import { cashRange } from "../../insights/cashRange.ts";
import type { DayFigures } from "../../store/salesDays/dayFigures.ts";
import { addDays } from "../../time/addDays.ts";
import type { DaySums } from "./daySums.ts";

/** A business day with its sales and its deposits. */
export interface ComparedDay {
  /** yyyy-MM-dd */
  date: string;
  figures: DayFigures;
  /** Whether the sales day is complete. */
  isComplete: boolean;
  /** The revision of the sales day. */
  salesRevision: number;
  sums: DaySums;
}

/** How days are compared: the settings, with the first day that is compared; null if there is no complete day. */
export interface Comparison extends Omit<ReconciliationSettings, "since"> {
  since: string | null;
  /** Whether the CRB sells on invoices, whose payments come later. */
  isWholesale: boolean;
}

/**
 * Days before a cash count whose invoices may be paid after it. A payment of an invoice belongs to the day of the sale, and no
 * POS says when it was paid.
 */
export const invoiceTermDays = 60;

/** The balance at the end of a day. */
interface Balance {
  low: number;
  high: number;
  /** The day of the count, yyyy-MM-dd. */
  counted: string;
  /** The sum of `cash_sales_high` since the count. */
  sold: number;
}

/**
 * Compares the deposits of days with the sales (docs/spec.md#reconciliation-days). The result depends on the arguments only.
 * For the correct balance of a day, `days` begins with the last count before it, for wholesale 60 days earlier, and has the
 * `max_days_without_deposit` days before it.
 *
 * @param days the days with sales, deposits or a count, in their order
 * @param lastDeposit the last day before `days` with a deposit of cash
 */
export function reconcileDays(
  days: readonly ComparedDay[],
  comparison: Comparison,
  lastDeposit?: string,
): ReconciliationDay[] {
  const ranges = days.map(({ date, figures }) => ({
    date,
    ...cashRange(figures, comparison.never_cash),
    isKnown: !figures.unknown_paid_amounts,
  }));
  /** The sum of `cash_sales_high` of a number of days that end with a day; null if a paid amount of them is unknown. */
  const soldWithin = (end: number, count: number): number | null => {
    const first = addDays(ranges[end]?.date ?? "", 1 - count);
    let sold = 0;
    for (let i = end; i >= 0 && (ranges[i]?.date ?? "") >= first; i--) {
      if (!ranges[i]?.isKnown) return null;
      sold += ranges[i]?.high ?? 0;
    }
    return sold;
  };
  let deposited = lastDeposit;
  let balance: Balance | undefined;
  /** Whether a paid amount since the last count is unknown, and the balance with it. */
  let isUnknown = false;
  return days.map(({ date, figures, isComplete, salesRevision, sums }, i) => {
    const { low = 0, high = 0, isKnown } = ranges[i] ?? {};
    if (sums.cashDeposits > 0) deposited = date;
    const sinceDeposit = deposited === undefined ? null : daysBetween(deposited, date);
    const isCompared = isComplete && comparison.since !== null && date >= comparison.since;
    if (balance && !isKnown) [balance, isUnknown] = [undefined, true];
    balance &&= {
      ...balance,
      low: balance.low + low - sums.cash,
      high: balance.high + high - sums.cash,
      sold: balance.sold + high,
    };
    let counted: CountedCash | undefined;
    if (sums.count !== null && canStart(date, comparison)) {
      const soldOnInvoice = (days: number) => (comparison.isWholesale ? soldWithin(i, days) : 0);
      if (isCompared && balance) {
        const unpaid = soldOnInvoice(Math.min(invoiceTermDays, daysBetween(balance.counted, date))) ?? 0;
        counted = countedCash(sums.count, { ...balance, low: balance.low - Math.max(unpaid, 0) }, comparison);
      }
      const unpaid = soldOnInvoice(invoiceTermDays);
      isUnknown = unpaid === null;
      balance =
        unpaid === null
          ? undefined
          : { low: sums.count, high: sums.count + Math.max(unpaid, 0), counted: date, sold: 0 };
    }
    return {
      date,
      cash_sales_low: low,
      cash_sales_high: high,
      card_sales: (figures["debit.amount"] ?? 0) + (figures["credit.amount"] ?? 0),
      cash_deposited: sums.cash,
      card_settled: sums.card,
      balance_low: balance?.low ?? null,
      balance_high: balance?.high ?? null,
      counted: balance?.counted ?? null,
      count_difference: counted?.difference ?? null,
      days_since_deposit: sinceDeposit,
      complete: isComplete,
      revision: salesRevision + sums.revision,
      status:
        !isCompared || isUnknown
          ? "not_compared"
          : counted?.differs
            ? "count_differs"
            : statusOf(date, balance, sinceDeposit, comparison, (count) => soldWithin(i, count)),
    };
  });
}

/** A count of the day before the first compared day, or of a later day, starts the balance. */
function canStart(date: string, { since }: Comparison): boolean {
  return since === null || date >= addDays(since, -1);
}

/** A count of cash, compared with what could be there. */
interface CountedCash {
  /** cents outside that range; below 0, cash is missing */
  difference: number;
  /** whether that is more than the tolerance */
  differs: boolean;
}

/** @param before the balance at the end of the day of the count, without the count */
function countedCash(count: number, before: Balance, comparison: Comparison): CountedCash {
  const difference = Math.min(count - before.low, 0) + Math.max(count - before.high, 0);
  return { difference, differs: Math.abs(difference) > toleranceOf(before, comparison) };
}

const toleranceOf = ({ sold }: Balance, { tolerance_amount, tolerance_percent }: Comparison): number =>
  Math.max(tolerance_amount, Math.floor((sold * tolerance_percent) / 100));

function statusOf(
  date: string,
  balance: Balance | undefined,
  sinceDeposit: number | null,
  comparison: Comparison,
  soldWithin: (days: number) => number | null,
): ReconciliationDay["status"] {
  if (!balance) return "no_balance";
  const { since, max_days_without_deposit: maxDays } = comparison;
  const tolerance = toleranceOf(balance, comparison);
  if (balance.high < -tolerance) return "deposits_unexplained";
  const excess = balance.low - tolerance;
  if (excess <= 0) return "within";
  const waited = sinceDeposit ?? daysBetween(balance.counted, date);
  // Before that, the sales of fewer days are known, and cash of earlier days may be at the business.
  const hasHistory = since !== null && addDays(since, maxDays - 1) <= date;
  const sold = hasHistory ? soldWithin(maxDays) : null;
  return waited > maxDays || (sold !== null && excess > sold) ? "cash_outstanding" : "within";
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / (24 * 60 * 60_000);
}
