import {
  noSales,
  outsideOwnHours,
  returnsAboveBaseline,
  revenueAboveBaseline,
  voidsAboveBaseline,
} from "./dayCodes.ts";
import { type DepositCase, depositFindings } from "./depositCodes.ts";
import { daysBetween, type Finding, type History } from "./history.ts";
import type { CodeSettings, InsightCode, InsightSettings } from "./insightCodes.ts";
import { type InsightLicense, licenseHolderDiffers, salesWithoutActiveLicense } from "./licenseCodes.ts";
import {
  cashShareChanged,
  equalAmounts,
  flaggedSalesShare,
  peerOutlier,
  revenueAboveStatement,
  unknownCustomerShare,
} from "./periodCodes.ts";
import { saleFindings } from "./saleCodes.ts";
import { type StateFigures, stateVariance } from "./stateCodes.ts";

/** What the insights of a business follow from. */
export interface InsightInput {
  /** the judged days and the 112 days before them */
  history: History;
  /** the days to judge, both inclusive */
  window: readonly [from: string, to: string];
  settings: InsightSettings;
  licenses: readonly InsightLicense[];
  /** the days on which a code about deposits begins to hold */
  deposits: readonly DepositCase[];
  /** the totals of the state's system on the judged days, and on the days before them as far as they are known */
  state: StateFigures;
  /** the monthly sales that the business states, cents; null if it states none */
  statedMonth: number | null;
  /** the paid totals of comparable businesses by month, yyyy-MM */
  peers: ReadonlyMap<string, readonly number[]>;
  /** whether a decision was made on the insight of a single flagged sale */
  isDecided: (saleId: string, date: string) => boolean;
}

/** Days before the first judged day that codes compare with. */
export const comparedDays = 112;
/** Days of the longest period of a finding: eight weeks in which a shop that opens once a week was closed. */
export const longestPeriod = 56;

/** The codes that judge one complete day, or the period that ends with it, by the history alone. */
const historyCodes: Partial<
  Record<InsightCode, (history: History, date: string, settings: CodeSettings) => Finding | undefined>
> = {
  revenue_above_baseline: revenueAboveBaseline,
  returns_above_baseline: returnsAboveBaseline,
  voids_above_baseline: voidsAboveBaseline,
  outside_own_hours: outsideOwnHours,
  no_sales: noSales,
  cash_share_changed: cashShareChanged,
  equal_amounts: equalAmounts,
  flagged_sales_share: flaggedSalesShare,
  unknown_customer_share: unknownCustomerShare,
};

/** The insights that hold for the judged days. They depend on nothing but the input, so the order of arrival does not matter. */
export function findInsights(input: InsightInput): Finding[] {
  const { history, window, settings, licenses } = input;
  const days = daysBetween(...window).filter((day) => history.has(day));
  const found = [...days.flatMap((day) => findOfDay(input, day)), ...licenses.map(licenseHolderDiffers)];
  return found.filter((finding) => finding !== undefined).filter(({ code }) => settings[code].enabled);
}

function findOfDay(input: InsightInput, day: string): (Finding | undefined)[] {
  const { history, settings, licenses, deposits, state, statedMonth, peers, isDecided } = input;
  const variance = stateVariance(history, day, settings.state_variance, state);
  const connected = licenses.filter(({ number }) => number !== null && state.licenses.includes(number));
  return [
    ...saleFindings(history, day, settings, isDecided),
    ...Object.entries(historyCodes).map(([code, find]) => {
      const own = settings[code as InsightCode];
      return own.enabled ? find(history, day, own) : undefined;
    }),
    salesWithoutActiveLicense(history, day, licenses),
    ...depositFindings(deposits, day),
    variance && { ...variance, licenses: connected },
    revenueAboveStatement(history, day, settings.revenue_above_statement, statedMonth),
    peerOutlier(history, day, settings.peer_outlier, peers.get(day.slice(0, 7)) ?? []),
  ];
}
