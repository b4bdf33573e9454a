import { addDays } from "../time/addDays.ts";
import {
  baselineWeeks,
  daysBetween,
  dollars,
  equalWeekdays,
  type Finding,
  type History,
  median,
  medianDeviation,
  round,
  salesOf,
  weekdayOf,
} from "./history.ts";
import type { CodeSettings, InsightCode } from "./insightCodes.ts";

// The codes that compare one complete day with the weeks before it. None of them holds while history is too short.

type DayCode = (history: History, date: string, settings: CodeSettings) => Finding | undefined;

/** Deviations from the median that are usual. */
const usualDeviations = 3;

/** The paid total of a day, compared with the same weekday of the eight weeks before. */
export const revenueAboveBaseline: DayCode = (history, date, { threshold, minimum_history }) => {
  const totalOf = (figures: Readonly<Record<string, number | undefined>>) => figures.total_paid ?? 0;
  const day = history.get(date);
  // A total that lacks amounts is a lower bound: it may be above the usual ones, but does not say what they are.
  const past = equalWeekdays(history, date).filter(({ figures }) => !figures.unknown_totals);
  if (!day || past.length < minimum_history) return undefined;
  const totals = past.map(({ figures }) => totalOf(figures));
  const [expected, measured, factor] = [median(totals), totalOf(day.figures), threshold ?? 0];
  const deviation = medianDeviation(totals);
  if (expected <= 0 || measured <= factor * expected) return undefined;
  if (measured <= expected + usualDeviations * deviation) return undefined;
  const weekday = weekdayOf(date);
  return {
    code: "revenue_above_baseline",
    ...ofDay(date, past),
    measured,
    expected: Math.round(expected),
    unit: "cents",
    criterion: `more than ${factor} times the median and more than 3 median deviations above it`,
    sentence: `The sales of ${weekday} ${date} were ${dollars(measured)}, ${times(measured / expected)} the median of ${past.length} earlier ${weekday}s (${dollars(expected)}).`,
  };
};

/** Fewer returns or voids than this are never an insight. */
const minCount = 3;

const countAboveBaseline =
  (code: InsightCode, figure: "returns" | "adjustments", thing: string): DayCode =>
  (history, date, { threshold, minimum_history }) => {
    const day = history.get(date);
    const past = equalWeekdays(history, date);
    if (!day || past.length < minimum_history) return undefined;
    const counts = past.map(({ figures }) => figures[figure] ?? 0);
    const [expected, measured, deviations] = [median(counts), day.figures[figure] ?? 0, threshold ?? 0];
    // Counts vary by chance about as much as their square root, even if eight of them happen to be equal.
    const deviation = Math.max(medianDeviation(counts), Math.sqrt(expected), 1);
    if (measured < minCount || measured <= expected + deviations * deviation) return undefined;
    const weekday = weekdayOf(date);
    return {
      code,
      ...ofDay(date, past),
      measured,
      expected: round(expected),
      unit: "sales",
      criterion: `at least ${minCount}, and more than ${deviations} deviations above the median; a deviation is the median deviation, the square root of the median or 1, the greatest`,
      sentence: `${measured} ${thing} on ${weekday} ${date}; the median of ${past.length} earlier ${weekday}s is ${round(expected)}.`,
    };
  };

/** The number of returns. */
export const returnsAboveBaseline = countAboveBaseline("returns_above_baseline", "returns", "returns");

/** The number of voided sales: each became an adjustment. */
export const voidsAboveBaseline = countAboveBaseline("voids_above_baseline", "adjustments", "voided sales");

/** The share of the sales of eight weeks that lie before, and after, the usual hours. */
const tailShare = 0.01;

/** Sales before the hour of the 1st percentile, or after the hour of the 99th, of the eight weeks before. */
export const outsideOwnHours: DayCode = (history, date, { threshold, minimum_history }) => {
  const today = history.get(date)?.profile?.hours;
  if (!today || sumOf(today) < (threshold ?? 0)) return undefined;
  const window = [addDays(date, -7 * baselineWeeks), addDays(date, -1)] as const;
  const past = daysBetween(...window).map((day) => history.get(day)?.profile?.hours ?? []);
  const usual = Array.from({ length: 24 }, (_, hour) => sumOf(past.map((hours) => hours[hour] ?? 0)));
  const daysWithSales = past.filter((hours) => sumOf(hours) > 0).length;
  const total = sumOf(usual);
  if (total === 0 || daysWithSales < minimum_history) return undefined;
  const first = usual.findIndex((_, hour) => sumOf(usual.slice(0, hour + 1)) >= tailShare * total);
  const last = usual.findLastIndex((_, hour) => sumOf(usual.slice(hour)) >= tailShare * total);
  const outsideOf = (hours: readonly number[]) => sumOf(hours.filter((_, hour) => hour < first || hour > last));
  const measured = outsideOf(today);
  const expected = (outsideOf(usual) / total) * sumOf(today);
  // In a busy shop some sales of each day lie outside.
  const limit = expected + usualDeviations * Math.sqrt(expected);
  if (measured < (threshold ?? 0) || measured <= limit) return undefined;
  return {
    code: "outside_own_hours",
    start_date: date,
    end_date: date,
    subject: null,
    windows: [[date, date], window],
    sales: [],
    measured,
    expected: round(expected),
    unit: "sales",
    criterion: `at least ${threshold} sales outside the hours of the 1st to the 99th percentile of 8 weeks, and more than 3 deviations above their usual number`,
    sentence: `${measured} sales on ${weekdayOf(date)} ${date} were before ${hourText(first)} or after ${hourText(last + 1)}, outside the usual hours of 8 weeks.`,
  };
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const hourText = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/**
 * As many business days in a row as the threshold without a sale: days on whose weekday the business usually sells. Each series
 * of such days is found once, on the day that completes the number. A business may open on one weekday only.
 */
export const noSales: DayCode = (history, date, { threshold, minimum_history }) => {
  const wanted = threshold ?? 1;
  const isBusinessDay = (day: string) => equalWeekdays(history, day).length >= minimum_history;
  const isSilent = (day: string) => salesOf(history.get(day)?.figures ?? { sales: 1 }) === 0;
  if (!isSilent(date)) return undefined;
  const earlier = daysBetween(addDays(date, -7 * (wanted + 1)), date)
    .reverse()
    .filter(isBusinessDay);
  const silent = earlier.slice(0, wanted);
  const before = earlier[wanted];
  const isFirst = silent[0] === date && silent.length === wanted && silent.every(isSilent);
  if (!isFirst || before === undefined || isSilent(before)) return undefined;
  const start = silent.at(-1) as string;
  const later = [...history.keys()].filter((day) => day > date).sort();
  const ended_on = later.find((day) => !isSilent(day)) ?? null;
  const further = later.filter((day) => (ended_on === null || day < ended_on) && isBusinessDay(day));
  const sentence = (days: number, to: string) =>
    `No sale on ${days} business days, from ${start} to ${to}. The last sales were on ${before}.`;
  const expected = median(equalWeekdays(history, date).map(({ figures }) => salesOf(figures)));
  const as_of = further.at(-1) ?? date;
  return {
    code: "no_sales",
    start_date: start,
    end_date: date,
    subject: null,
    windows: [[start, date]],
    sales: [],
    measured: 0,
    expected,
    unit: "sales",
    criterion: `${wanted} business days without a sale`,
    sentence: sentence(wanted, date),
    latest: { as_of, measured: 0, expected, sentence: sentence(wanted + further.length, as_of), ended_on },
  };
};

const times = (ratio: number): string => `${ratio.toFixed(1)} times`;

const ofDay = (date: string, past: readonly { date: string }[]) => ({
  start_date: date,
  end_date: date,
  subject: null,
  windows: [[date, date], ...past.map(({ date: day }) => [day, day] as const)] as const,
  sales: [],
});
