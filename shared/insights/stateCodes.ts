import { dollars, type Finding, followState, type History, type InsightFigures, median, round } from "./history.ts";
import type { CodeSettings } from "./insightCodes.ts";

// The comparison of sales days with the totals of the state's system (docs/spec.md#state-days).

/** The figures of a sales day that the totals of the state's system can equal. */
export const stateBases = ["pos_total", "pos_subtotal"] as const;
export type StateBasis = (typeof stateBases)[number];

/** Cents by day, yyyy-MM-dd: the sums over all connected licenses, of the days that are complete for each of them. */
export type StateTotals = ReadonlyMap<string, number>;

/** The totals of a business in the state's system. */
export interface StateFigures {
  totals: StateTotals;
  /** null before the first comparison */
  basis: StateBasis | null;
  /** the numbers of the connected licenses */
  licenses: readonly string[];
}

/** No variance up to this many cents is an insight: one receipt more or less is usual. */
const usualCents = 10_000;

/**
 * The figure to which the totals of a business are nearer: it has the smaller median of the differences, in percent. The
 * median ignores single days that differ for another reason.
 *
 * @returns null if no day can be compared
 */
export function nearerBasis(totals: StateTotals, history: History): StateBasis | null {
  const distances = stateBases.map((basis) => {
    const found = [...totals].flatMap(([date, total]) => {
      const day = history.get(date);
      return day ? [Math.abs(percentOf(varianceOf(total, day.figures, basis), day.figures, basis))] : [];
    });
    return found.length > 0 ? median(found) : undefined;
  });
  const [total, subtotal] = distances;
  if (total === undefined || subtotal === undefined) return null;
  return subtotal < total ? "pos_subtotal" : "pos_total";
}

const basisValue = (figures: InsightFigures, basis: StateBasis): number =>
  (basis === "pos_total" ? figures.total_paid : figures.subtotal) ?? 0;

/** Cents that the state's system has above the sales day. */
export const varianceOf = (total: number, figures: InsightFigures, basis: StateBasis): number =>
  total - basisValue(figures, basis);

/** A variance without any sale counts as all of the day. */
function percentOf(variance: number, figures: InsightFigures, basis: StateBasis): number {
  const value = basisValue(figures, basis);
  return value === 0 ? (variance === 0 ? 0 : 100) : (100 * variance) / Math.abs(value);
}

/** Whether the totals of a day differ by more than the tolerance. */
export function isVaried(
  total: number,
  figures: InsightFigures,
  basis: StateBasis,
  { threshold }: Pick<CodeSettings, "threshold">,
): boolean {
  const variance = varianceOf(total, figures, basis);
  return Math.abs(variance) > usualCents && Math.abs(percentOf(variance, figures, basis)) > (threshold ?? 0);
}

/** The variance of a day in percent, as records show it; null if there was no sale to compare with. */
export const variancePercent = (variance: number, figures: InsightFigures, basis: StateBasis): number | null =>
  basisValue(figures, basis) === 0 ? null : round(percentOf(variance, figures, basis));

/**
 * The totals of the state's system differ from those of the sales day. A business may differ for long, such as while one of its
 * licenses is not connected: so only the first such day of a series is found, and the first of each later month.
 */
export function stateVariance(
  history: History,
  date: string,
  settings: CodeSettings,
  { totals, basis }: StateFigures,
): Finding | undefined {
  const compared = [...totals.keys()].filter((day) => day <= date && history.has(day)).sort();
  if (basis === null || compared.at(-1) !== date || compared.length <= settings.minimum_history) return undefined;
  const isHeld = (day: string | undefined) => {
    const figures = day === undefined ? undefined : history.get(day)?.figures;
    return figures !== undefined && isVaried(totals.get(day as string) ?? 0, figures, basis, settings);
  };
  // A day that was not judged itself begins no series.
  const before = compared.length - 1 > settings.minimum_history ? compared.at(-2) : undefined;
  if (!isHeld(date) || (isHeld(before) && before?.slice(0, 7) === date.slice(0, 7))) return undefined;
  const name = basis === "pos_total" ? "sold in the POS" : "sold in the POS before taxes";
  const figuresOf = (day: string) => {
    const [measured, expected] = [totals.get(day) ?? 0, basisValue(history.get(day)?.figures ?? {}, basis)];
    const direction = measured > expected ? "more" : "less";
    const sentence = `The state's system has ${dollars(measured)} for ${day}, ${dollars(Math.abs(measured - expected))} ${direction} than was ${name} (${dollars(expected)}).`;
    return { measured, expected, sentence };
  };
  const later = [...totals.keys()].filter((day) => day >= date && history.has(day)).sort();
  const { as_of, ended_on } = followState(later, isHeld);
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
