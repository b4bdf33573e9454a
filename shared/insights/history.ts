import { addDays } from "../time/addDays.ts";
import type { InsightCode, InsightUnit } from "./insightCodes.ts";

/** The figures of a sales day that insights read (docs/spec.md#sales-days). An absent figure is 0. */
export type InsightFigures = Readonly<Record<string, number | undefined>>;

/** What insights keep of the sales of a day, without an id of a customer. */
export interface DayProfile {
  /** number of sales with a total above 0 */
  paid: number;
  /** number of those whose time is known, in each hour of the local day */
  hours: readonly number[];
  /** the totals that several sales of the day have, with the number of these sales, the most frequent first */
  amounts: readonly (readonly [amount: number, sales: number])[];
  /** sales of the customers who bought most often, by group of customers (`customerGroup`) */
  regulars: readonly (readonly [group: number, sales: number])[];
  cases: readonly SaleCase[];
  checks: {
    /** number of retail records */
    retail: number;
    /** number of those that are `unchecked`, by the reason (`whyUnchecked`) */
    unchecked: Readonly<Record<string, number>>;
  };
}

/** A sale that an insight is about, as the business and the rules name it. */
export interface NamedSale {
  id: string;
  /** the id of the sale in the POS, as on its receipt; null if the POS reports none */
  receipt: string | null;
  /** ids of the rules that it breaks, alone or with the other sales */
  rules: readonly string[];
}

/** Sales of one customer, or one sale, that a code is about. */
export interface SaleCase {
  code: InsightCode;
  /** the group of the customer; null if the sale itself is the case */
  group: number | null;
  measured: number;
  expected: number;
  unit: InsightUnit;
  sales: readonly NamedSale[];
  /** with the threshold by which the case was found */
  criterion: string;
  /** what the sentence says of the case */
  detail: string;
}

/** A complete sales day. */
export interface InsightDay {
  figures: InsightFigures;
  /** absent while the sales of the day have not been read */
  profile?: DayProfile | undefined;
}

/** Complete days by date, yyyy-MM-dd, with those without sales. A day that is not complete is absent. */
export type History = ReadonlyMap<string, InsightDay>;

/** A window of days, both inclusive. */
type DayWindow = readonly [from: string, to: string];

/** A case that a code has found. The id of its insight follows from the code, the first day and the subject. */
export interface Finding {
  code: InsightCode;
  start_date: string;
  end_date: string;
  /** a sale or a license, where a day can have several findings of the code */
  subject: string | null;
  measured: number;
  /** null if the code compares with other businesses: none of their values is shown */
  expected: number | null;
  unit: InsightUnit;
  criterion: string;
  sentence: string;
  /** the newest figures, if the code finds a state only at its beginning */
  latest?: LatestFigures;
  /** the days that were compared */
  windows: readonly DayWindow[];
  /** at most 20 */
  sales: readonly NamedSale[];
  /** the licenses that it is about */
  licenses?: readonly NamedLicense[];
}

/** A license that an insight is about. */
interface NamedLicense {
  id: string;
  /** null if the register has none */
  number: string | null;
}

/** The figures of a state that lasts, on the last day on which it held. */
export interface LatestFigures {
  /** the last such day, yyyy-MM-dd */
  as_of: string;
  measured: number;
  expected: number | null;
  sentence: string;
  /** the first day on which it held no more, yyyy-MM-dd; null if none is known */
  ended_on: string | null;
}

/**
 * How a state goes on that a code finds at its beginning, and again on the first day of each later month.
 *
 * @param days the compared days from its beginning on, in their order
 * @returns the last day before the next finding on which it held, and the first on which it did not
 */
export function followState(
  days: readonly string[],
  isHeld: (day: string) => boolean,
): Pick<LatestFigures, "as_of" | "ended_on"> {
  const [first = ""] = days;
  const next = days.findIndex((day) => day.slice(0, 7) !== first.slice(0, 7) || !isHeld(day));
  const end = days[next];
  const as_of = days.at(next < 0 ? -1 : next - 1) ?? first;
  return { as_of, ended_on: end !== undefined && !isHeld(end) ? end : null };
}

/** Weeks of the usual past. */
export const baselineWeeks = 8;

/** The same weekday of the eight weeks before, the latest first, as far as it had sales. */
export function equalWeekdays(history: History, date: string): { date: string; figures: InsightFigures }[] {
  return Array.from({ length: baselineWeeks }, (_, week) => addDays(date, -7 * (week + 1))).flatMap((day) => {
    const figures = history.get(day)?.figures;
    return figures && salesOf(figures) > 0 ? [{ date: day, figures }] : [];
  });
}

export const salesOf = (figures: InsightFigures): number => figures.sales ?? 0;

/** The days from `from` to `to`. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The sums of figures over days; undefined unless all of these days are complete. */
export function sumOfDays(history: History, days: readonly string[]): Record<string, number> | undefined {
  const sums: Record<string, number> = {};
  for (const day of days) {
    const known = history.get(day);
    if (!known) return undefined;
    for (const [name, value = 0] of Object.entries(known.figures)) sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}

/** The number of these days that are complete and had sales. */
export const salesDaysOf = (history: History, days: readonly string[]): number =>
  days.filter((day) => salesOf(history.get(day)?.figures ?? {}) > 0).length;

/** The middle of numbers, or the mean of the two in the middle; 0 for none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
}

/** The median of the distances from the median. */
export function medianDeviation(numbers: readonly number[]): number {
  const middle = median(numbers);
  return median(numbers.map((number) => Math.abs(number - middle)));
}

/** `$31,204.05` */
export function dollars(cents: number): string {
  const [whole = "", fraction] = (Math.abs(Math.round(cents)) / 100).toFixed(2).split(".");
  return `${cents < 0 ? "-" : ""}$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
}

/** Rounds to two decimals. */
export const round = (number: number): number => Math.round(number * 100) / 100;

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

export const weekdayOf = (date: string): string => weekdays[new Date(`${date}T00:00:00.000Z`).getUTCDay()] as string;
