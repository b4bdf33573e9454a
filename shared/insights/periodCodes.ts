import { addDays } from "../time/addDays.ts";
import { cashRange } from "./cashRange.ts";
import {
  baselineWeeks,
  daysBetween,
  dollars,
  type Finding,
  type History,
  median,
  round,
  salesDaysOf,
  sumOfDays,
} from "./history.ts";
import type { CodeSettings } from "./insightCodes.ts";

// The codes that judge a week, four weeks or a month. Each is called for the last day of its period, and holds for no other day.

type PeriodCode = (history: History, end: string, settings: CodeSettings) => Finding | undefined;

const dayMs = 86_400_000;
/** A Sunday, with which a week and four weeks end. */
const anchor = Date.parse("2026-01-04");

/** Whether a day is the last of a period of this many days. Periods follow each other without a gap, and end on Sundays. */
const endsPeriod = (day: string, days: number): boolean => (Date.parse(day) - anchor) % (days * dayMs) === 0;

/** The days of a period that ends with a day. */
const daysUntil = (end: string, days: number): string[] => daysBetween(addDays(end, 1 - days), end);

const fourWeeks = 28;
const earlierDays = 84;

/** The share of cash of four weeks, compared with that of the twelve weeks before. */
export const cashShareChanged: PeriodCode = (history, end, { threshold, minimum_history }) => {
  if (!endsPeriod(end, fourWeeks)) return undefined;
  const days = daysUntil(end, fourWeeks);
  const past = daysUntil(addDays(end, -fourWeeks), earlierDays).filter((day) => history.has(day));
  if (past.length < minimum_history || salesDaysOf(history, past) === 0) return undefined;
  const [now, before] = [cashShare(history, days), cashShare(history, past)];
  if (!now || !before) return undefined;
  // The bounds that are nearest to each other: what the unclear payments were does not matter then.
  const isRise = now.low > before.high;
  const [measured, expected] = isRise ? [now.low, before.high] : [now.high, before.low];
  if (isRise ? measured - expected <= (threshold ?? 0) : expected - measured <= (threshold ?? 0)) return undefined;
  const say = ({ low, high }: CashShare, bound: "least" | "most") =>
    `${low === high ? "" : `at ${bound} `}${round(bound === "least" ? low : high)} %`;
  const [is, was] = isRise ? [say(now, "least"), say(before, "most")] : [say(now, "most"), say(before, "least")];
  const window = [days[0] as string, end] as const;
  return {
    code: "cash_share_changed",
    ...ofPeriod(window, [[past[0] as string, past.at(-1) as string]]),
    measured: round(measured),
    expected: round(expected),
    unit: "percent",
    criterion: `more than ${threshold} points above or below the share of the 12 weeks before`,
    sentence: `Cash was ${is} of the payments from ${window[0]} to ${end}, after ${was} in the 12 weeks before.`,
  };
};

const paymentTypes = ["cash", "check", "debit", "credit", "multiple", "ach", "wire", "other", "unknown"];

/** The least and the largest share of cash, in percent. */
type CashShare = ReturnType<typeof cashRange>;

function cashShare(history: History, days: readonly string[]): CashShare | undefined {
  const sums = sumOfDays(history, days);
  if (!sums || sums.unknown_paid_amounts) return undefined;
  const paid = paymentTypes.reduce((sum, type) => sum + (sums[`${type}.amount`] ?? 0), 0);
  const { low, high } = cashRange(sums);
  return paid > 0 ? { low: (100 * low) / paid, high: (100 * high) / paid } : undefined;
}

const week = 7;
/** Fewer sales of the same total are never an insight. */
const minEqual = 20;

/** The share of a week's sales with the most frequent total, compared with the median share of the eight weeks before. */
export const equalAmounts: PeriodCode = (history, end, { threshold, minimum_history }) => {
  if (!endsPeriod(end, week)) return undefined;
  const current = mostFrequent(history, end);
  const ends = Array.from({ length: baselineWeeks }, (_, i) => addDays(end, -week * (i + 1)));
  const past = ends.flatMap((each) => mostFrequent(history, each) ?? []);
  if (!current || past.length < minimum_history || current.count < minEqual) return undefined;
  const expected = median(past.map(({ share }) => share));
  if (current.share <= (threshold ?? 0) * expected) return undefined;
  const window = [addDays(end, 1 - week), end] as const;
  return {
    code: "equal_amounts",
    ...ofPeriod(window, [[addDays(end, 1 - week * (baselineWeeks + 1)), addDays(end, -week)]]),
    measured: round(100 * current.share),
    expected: round(100 * expected),
    unit: "percent",
    criterion: `at least ${minEqual} sales, and more than ${threshold} times the median share of 8 weeks`,
    sentence: `${current.count} of ${current.sales} sales from ${window[0]} to ${end} have the total ${dollars(current.amount)}. The most frequent total usually has ${round(100 * expected)} % of a week's sales.`,
  };
};

/** The most frequent total of a week, by the frequent totals of its days. undefined without a complete week with sales. */
function mostFrequent(history: History, end: string) {
  const days = daysUntil(end, week).map((day) => history.get(day)?.profile);
  const counts = new Map<number, number>();
  let sales = 0;
  for (const profile of days) {
    if (!profile) return undefined;
    sales += profile.paid;
    for (const [amount, count] of profile.amounts) counts.set(amount, (counts.get(amount) ?? 0) + count);
  }
  const [[amount, count] = [0, 0]] = [...counts].sort(([one, a], [other, b]) => b - a || one - other);
  return sales > 0 ? { amount, count, sales, share: count / sales } : undefined;
}

/**
 * A share of the sales of four weeks above the threshold. It is found once, in the first four weeks above, and again after four
 * weeks at or below the threshold.
 */
const shareAbove =
  (
    code: "flagged_sales_share" | "unknown_customer_share",
    count: (figures: Readonly<Record<string, number>>) => readonly [part: number, all: number],
    say: (part: number, all: number) => string,
  ): PeriodCode =>
  (history, end, { threshold, minimum_history }) => {
    if (!endsPeriod(end, fourWeeks)) return undefined;
    const shareOf = (last: string) => {
      const days = daysUntil(last, fourWeeks);
      const sums = sumOfDays(history, days);
      if (!sums || days.length < minimum_history || salesDaysOf(history, days) === 0) return undefined;
      const [part, all] = count(sums);
      return all > 0 ? { part, all, share: (100 * part) / all } : undefined;
    };
    const [limit, current, before] = [threshold ?? 0, shareOf(end), shareOf(addDays(end, -fourWeeks))];
    if (!current || current.share <= limit || (before && before.share > limit)) return undefined;
    const expected = before ? round(before.share) : 0;
    const figuresOf = (last: string, { part, all, share }: typeof current) => ({
      measured: round(share),
      expected,
      sentence: `${say(part, all)} from ${addDays(last, 1 - fourWeeks)} to ${last}: ${round(share)} %.`,
    });
    let [latest, as_of, ended_on] = [current, end, null as string | null];
    for (let last = addDays(end, fourWeeks); ended_on === null; last = addDays(last, fourWeeks)) {
      const next = shareOf(last);
      if (!next) break;
      if (next.share <= limit) ended_on = last;
      else [latest, as_of] = [next, last];
    }
    return {
      code,
      ...ofPeriod([addDays(end, 1 - fourWeeks), end]),
      ...figuresOf(end, current),
      latest: { as_of, ...figuresOf(as_of, latest), ended_on },
      unit: "percent",
      criterion: `more than ${limit} % of the sales of 28 days, and not in the 28 days before`,
    };
  };

const statuses = ["unchecked", "svc_checked", "warning", "red_flag"];
const retailOf = (figures: Readonly<Record<string, number>>): number =>
  statuses.reduce((sum, status) => sum + (figures[`${status}.count`] ?? 0), 0);

export const flaggedSalesShare = shareAbove(
  "flagged_sales_share",
  (figures) => [figures["red_flag.count"] ?? 0, retailOf(figures)],
  (part, all) => `${part} of ${all} retail sales are red-flagged`,
);

/** Sales to other businesses count as unknown customers in a day's figures, so they are subtracted. */
export const unknownCustomerShare = shareAbove(
  "unknown_customer_share",
  (figures) => {
    const retail = retailOf(figures);
    return [Math.max(0, (figures["unknown.count"] ?? 0) - ((figures.records ?? 0) - retail)), retail];
  },
  (part, all) => `${part} of ${all} retail sales do not say whether the customer bought as a patient or as an adult`,
);

/** The days of the month that ends with a day; undefined if no month ends with it. */
function monthUntil(end: string): string[] | undefined {
  return addDays(end, 1).endsWith("-01") ? daysBetween(`${end.slice(0, 8)}01`, end) : undefined;
}

/** The paid total of the month that ends with a day; undefined unless all its days are complete and their totals known. */
export function monthTotal(history: History, end: string): number | undefined {
  const days = monthUntil(end);
  const sums = days && sumOfDays(history, days);
  return sums?.unknown_totals ? undefined : sums?.total_paid;
}

/**
 * The paid total of a month, compared with the monthly sales that the business states.
 *
 * @param stated cents; null if the business states none
 */
export function revenueAboveStatement(
  history: History,
  end: string,
  { threshold, minimum_history }: CodeSettings,
  stated: number | null,
): Finding | undefined {
  const measured = monthTotal(history, end);
  if (measured === undefined || stated === null || stated <= 0 || !hasDays(end, minimum_history)) return undefined;
  if (measured <= (threshold ?? 0) * stated) return undefined;
  const month = end.slice(0, 7);
  return {
    code: "revenue_above_statement",
    ...ofPeriod([`${month}-01`, end]),
    measured,
    expected: stated,
    unit: "cents",
    criterion: `more than ${threshold} times the stated monthly sales`,
    sentence: `The sales of ${month} were ${dollars(measured)}, ${(measured / stated).toFixed(1)} times the monthly sales that the business states (${dollars(stated)}).`,
  };
}

const hasDays = (end: string, minimum: number): boolean => (monthUntil(end)?.length ?? 0) >= minimum;

/**
 * The paid total of a month, compared with the median of the service provider's businesses of the same state and type.
 *
 * @param peers the totals of the other businesses in that month, cents
 */
export function peerOutlier(
  history: History,
  end: string,
  { threshold, minimum_history }: CodeSettings,
  peers: readonly number[],
): Finding | undefined {
  const measured = monthTotal(history, end);
  const active = peers.filter((total) => total > 0);
  if (measured === undefined || active.length < minimum_history) return undefined;
  const expected = median(active);
  if (measured <= (threshold ?? 0) * expected) return undefined;
  const month = end.slice(0, 7);
  return {
    code: "peer_outlier",
    ...ofPeriod([`${month}-01`, end]),
    measured,
    expected: null,
    unit: "cents",
    criterion: `more than ${threshold} times the median of at least ${minimum_history} businesses of the same state and type`,
    sentence: `The sales of ${month} were ${dollars(measured)}, more than ${threshold} times the median of ${active.length} businesses of the same state and type.`,
  };
}

const ofPeriod = ([from, to]: readonly [string, string], past: readonly (readonly [string, string])[] = []) => ({
  start_date: from,
  end_date: to,
  subject: null,
  windows: [[from, to] as const, ...past],
  sales: [],
});
