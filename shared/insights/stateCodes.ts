import { dollars, type Finding, followState, type History, type InsightFigures, median, round } from "./history.ts";
import type { CodeSettings } from "./insightCodes.ts";

// The comparison of sales days with the totals of the state's system (docs/spec.md#state-days).

/** The figures of a sales day that the totals of the state's system can equal. */
export const stateBases = ["pos_total", "pos_subtotal"] as const;
export type StateBasis = (typeof stateBases)[number];

/** Cents by day, yyyy-MM-dd: the sums over all licenses, of the days on which none that may have sales lacks totals. */
export type StateTotals = ReadonlyMap<string, number>;

/** The totals of a business in the state's system. */
export interface StateFigures {
  totals: StateTotals;
  /** null before the first comparison */
  basis: StateBasis | null;
  /** the numbers of the connected licenses */
  licenses: readonly string[];
}

/** By the median, totals differ from the right figure by at most this percentage. Taxes are more. */
const usualPercent = 2;

/** No variance up to this many cents is an insight: one receipt more or less is usual. */
const usualCents = 10_000;

/**
 * The figure to which the totals of a business are nearer: it has the smaller median of the differences, in percent. The
 * median ignores single days that differ for another reason.
 *
 * @returns null if no day can be compared
 */
export function nearerBasis(totals: StateTotals, history: History): StateBasis | null {
  const distances = [...totals].flatMap(([date, total]) => {
    const figures = history.get(date)?.figures;
    const distanceTo = (value: number | null) => (value === null ? null : Math.abs(percentOf(total, value)));
    return figures ? [stateBases.map((basis) => distanceTo(basisValue(figures, basis)))] : [];
  });
  const both = distances.filter((values): values is number[] => !values.includes(null));
  const medianOf = (days: readonly (readonly (number | null)[])[], of: number) =>
    median(days.map((values) => values[of]).filter((value) => value != null));
  if (both.length > 0) return medianOf(both, 1) < medianOf(both, 0) ? "pos_subtotal" : "pos_total";
  // Some POS state only one of the figures. The totals contain the same taxes if they are about equal to it.
  const known = stateBases.filter((_, of) => distances.some((values) => values[of] !== null));
  const [only] = known.length === 1 ? known : [];
  return only && medianOf(distances, stateBases.indexOf(only)) <= usualPercent ? only : null;
}

/** The figure of a sales day in cents; null if a sale lacks this amount, because the sum is then only a lower bound. */
export function basisValue(figures: InsightFigures, basis: StateBasis): number | null {
  const [sum, unknown] =
    basis === "pos_total"
      ? [figures.total_paid, figures.unknown_totals]
      : [figures.subtotal, figures.unknown_subtotals];
  return unknown ? null : (sum ?? 0);
}

/** Cents that the state's system has above the sales day; null if the figure of the day is unknown. */
export function varianceOf(total: number, figures: InsightFigures, basis: StateBasis): number | null {
  const value = basisValue(figures, basis);
  return value === null ? null : total - value;
}

/** The variance in percent of the figure of the day. A variance without any sale counts as all of the day. */
function percentOf(total: number, value: number): number {
  return value === 0 ? (total === 0 ? 0 : 100) : (100 * (total - value)) / Math.abs(value);
}

/** Whether the totals of a day differ by more than the tolerance. */
export function isVaried(
  total: number,
  figures: InsightFigures,
  basis: StateBasis,
  { threshold }: Pick<CodeSettings, "threshold">,
): boolean {
  const value = basisValue(figures, basis);
  if (value === null) return false;
  return Math.abs(total - value) > usualCents && Math.abs(percentOf(total, value)) > (threshold ?? 0);
}

/** The variance of a day in percent, as records show it; null if there was no sale to compare with, or it is unknown. */
export function variancePercent(total: number, figures: InsightFigures, basis: StateBasis): number | null {
  const value = basisValue(figures, basis);
  return value ? round(percentOf(total, value)) : null;
}

/** Whether a day is complete and its figure is known. Only such days are compared. */
export function isKnown(history: History, date: string, basis: StateBasis): boolean {
  const figures = history.get(date)?.figures;
  return figures !== undefined && basisValue(figures, basis) !== null;
}

/**
 * The totals of the state's system differ from those of the sales day. A business may differ for long, such as while a
 * license is not linked: so only the first such day of a series is found, and the first of each later month.
 */
export function stateVariance(
  history: History,
  date: string,
  settings: CodeSettings,
  { totals, basis }: StateFigures,
): Finding | undefined {
  if (basis === null) return undefined;
  const known = [...totals.keys()].filter((day) => isKnown(history, day, basis)).sort();
  const compared = known.filter((day) => day <= date);
  if (compared.at(-1) !== date || compared.length <= settings.minimum_history) return undefined;
  const isHeld = (day: string | undefined) => {
    const figures = day === undefined ? undefined : history.get(day)?.figures;
    return figures !== undefined && isVaried(totals.get(day as string) ?? 0, figures, basis, settings);
  };
  // A day that was not judged itself begins no series.
  const before = compared.length - 1 > settings.minimum_history ? compared.at(-2) : undefined;
  if (!isHeld(date) || (isHeld(before) && before?.slice(0, 7) === date.slice(0, 7))) return undefined;
  const name = basis === "pos_total" ? "sold in the POS" : "sold in the POS before taxes";
  const figuresOf = (day: string) => {
    const [measured, expected] = [totals.get(day) ?? 0, basisValue(history.get(day)?.figures ?? {}, basis) ?? 0];
    const direction = measured > expected ? "more" : "less";
    const sentence = `The state's system has ${dollars(measured)} for ${day}, ${dollars(Math.abs(measured - expected))} ${direction} than was ${name} (${dollars(expected)}).`;
    return { measured, expected, sentence };
  };
  const { as_of, ended_on } = followState(
    known.filter((day) => day >= date),
    isHeld,
  );
  return {
    code: "state_variance",
    start_date: date,
    end_date: date,
    subject: null,
    windows: [[date, date]],
    sales: [],
    ...figuresOf(date),
    latest: { as_of, ...figuresOf(as_of), ended_on },
    unit: "cents",
    criterion: `the state's system differs by more than ${settings.threshold} % and by more than ${dollars(usualCents)}; on the first such day, and the first of each later month`,
  };
}
