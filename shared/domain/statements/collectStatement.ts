import { depositTypes } from "../../api/enumerations.ts";
import type { Deposit } from "../../api/schemas/deposit.ts";
import type { SalesDay } from "../../api/schemas/salesDay.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { insightsPartition } from "../../store/keys/insights.ts";
import { readStateDays } from "../../store/stateDays.ts";
import { addDays } from "../../time/addDays.ts";
import { type Clock, systemClock, utcDay } from "../../time/clock.ts";
import { localDay } from "../../time/localTime.ts";
import type { AccessLogStore } from "../accessLog/accessLines.ts";
import { listCashCounts, listDeposits } from "../deposits/listDeposits.ts";
import { readReconciliation } from "../deposits/readReconciliation.ts";
import { readSettings, toSettingsResponse } from "../deposits/settings.ts";
import { toStoredInsight } from "../insights/storedInsight.ts";
import { readLicenseHistory, statusAtEndOf } from "../linkedLicenses/licenseHistory.ts";
import { readConsentHistory } from "../onboarding/consentHistory.ts";
import { readReplications } from "../replication/readReplications.ts";
import { readSalesDays } from "../replication/readSalesDays.ts";
import type { Intervals } from "../replication/replicationIntervals.ts";
import { compareStateDays } from "../stateSystems/listStateDays.ts";
import { countByRule, readFlaggedSales } from "./flaggedSales.ts";
import { insightAsOf } from "./insightAsOf.ts";
import { readAccesses } from "./readAccesses.ts";
import type { StatementContent, StatementLicense } from "./statementContent.ts";
import { totalsOf } from "./statementTotals.ts";

export interface StatementOf {
  crb: Crb;
  /** yyyy-MM-dd */
  start_date: string;
  end_date: string;
  /** The instant whose state the statement shows, ISO 8601 UTC: no later than the call. */
  asOf: string;
}

/**
 * Reads the stored facts about the days of a statement. Whatever carries the time of its change is read as of `asOf`; the remarks
 * name the rest. So two calls for the same instant have the same result, if nothing of the rest has changed in between. The time
 * zone of the machine plays no part.
 *
 * @param options.deadline the access log is left out if it cannot be read until then
 * @throws ServiceError "unavailable" if the table or the access log cannot be reached
 */
export async function collectStatement(
  { table, accessLog }: { table: Table; accessLog: AccessLogStore },
  { crb, start_date, end_date, asOf }: StatementOf,
  { clock = systemClock, deadline, intervals }: { clock?: Clock; deadline: Date; intervals: Intervals },
): Promise<StatementContent> {
  const { record, serviceProviderId: spId, connection } = crb;
  const { id: crbId } = record;
  const window = { start_date, end_date };
  const dayCount = daysOf(window).length;
  const [flagged, deposits, counts, stateDays, insights, licenses, consents, replications, access] = await Promise.all([
    readFlaggedSales(table, crbId, window),
    readDeposits(table, crbId, window),
    listCashCounts(table, crbId, { ...window, limit: dayCount }),
    readStateDays(table, crbId, [start_date, end_date]).then((each) => compareStateDays(table, { spId, crbId }, each)),
    readInsights(table, crbId, { ...window, asOf, timezone: record.timezone }),
    readLicenses(table, crbId, { ...window, asOf }),
    readConsentHistory(table, crbId),
    readReplications(table, crbId, intervals, new Date(asOf)),
    readAccesses(accessLog, { spId, crbId, ...window, asOf }, { clock, deadline }),
  ]);
  const [{ days: reconciled, isComplete, state }, settings] = await Promise.all([
    readReconciliation(table, crbId, { from: start_date, to: end_date, limit: dayCount }),
    readSettings(table, crbId),
  ]);
  // Read last, so that the remarks name each day that has changed while the rest was read.
  const { days: read } = await readSalesDays(table, crbId, { ...window, offset: 0, limit: dayCount });
  // A complete day that never had a sale is in no list of days.
  const days = read.filter(({ records, revision }) => records > 0 || revision > 0).toReversed();
  const changed = days.filter(({ svc_updated_date }) => svc_updated_date > asOf).map(({ date }) => date);
  return {
    crb: shownCrb(record),
    ...window,
    as_of: asOf,
    rules_version: state?.sale_checks?.by.split(" ")[0] || null,
    ...nameDays(window, read, isComplete),
    remarks: remarksOf(changed, {
      isLastDayOpen: localDay(new Date(asOf), record.timezone) <= end_date,
      isChecking: (state?.sale_checks?.next ?? null) !== null,
      damaged: flagged.damaged,
    }),
    licenses,
    consents: consents.filter(({ date }) => date <= asOf),
    totals: totalsOf(days),
    days: days.map(({ crb_id: _, timezone: __, data_as_of: ___, ...day }) => day),
    checks: { by_rule: countByRule(flagged.sales), flagged_sales: flagged.sales },
    deposits: {
      settings: toSettingsResponse(settings),
      by_type: sumDeposits(deposits),
      records: deposits,
      cash_counts: counts.records.toReversed(),
      balance: balanceOf(reconciled),
      days: reconciled,
    },
    state_days: stateDays.map(({ crb_id: _, ...day }) => day),
    insights,
    sources: replications.map(({ kind, state, data_as_of, rejected_records }) => ({
      kind,
      pos_type: connection?.posType ?? null,
      state,
      data_as_of,
      rejected_records,
    })),
    access,
    comparison: null,
  };
}

interface Window {
  start_date: string;
  end_date: string;
}

function daysOf({ start_date, end_date }: Window): string[] {
  const days: string[] = [];
  for (let day = start_date; day <= end_date; day = addDays(day, 1)) days.push(day);
  return days;
}

const shownCrb = ({ id, name, dba, ein, ...record }: Crb["record"]): StatementContent["crb"] => {
  const { street_address, street_address_2, city, state, postal_code, timezone, business_type, status } = record;
  return {
    ...{ id, name, dba, ein, street_address, street_address_2, city, state, postal_code },
    ...{ timezone, business_type, status },
  };
};

function nameDays(
  window: Window,
  days: readonly SalesDay[],
  isComplete: (date: string) => boolean,
): Pick<StatementContent, "incomplete_days" | "days_without_records"> {
  const known = new Map(days.map((day) => [day.date, day]));
  const dates = daysOf(window);
  return {
    incomplete_days: dates.filter((date) => !(known.get(date)?.complete ?? isComplete(date))),
    days_without_records: dates.filter((date) => !known.get(date)?.records),
  };
}

/** The limits of the statement: changes without a time, and parts without a source. */
function remarksOf(
  changedDays: readonly string[],
  { isLastDayOpen, isChecking, damaged }: { isLastDayOpen: boolean; isChecking: boolean; damaged: number },
): string[] {
  return [
    ...(changedDays.length > 0
      ? [`These sales days changed between as_of and the reading, and are shown as read: ${changedDays.join(", ")}.`]
      : []),
    ...(isLastDayOpen ? ["The last day was not over at as_of."] : []),
    ...(isChecking ? ["The rules have changed, and some sales still have the findings of the earlier ones."] : []),
    ...(damaged > 0
      ? [`Flagged sales that are damaged are in the totals, but in no list of sales or rules: ${damaged}.`]
      : []),
    "Deposits, cash counts, settings, sources and the comparison with the state's system carry no time of their change. They are shown as read, moments after as_of.",
    "Figures of insights are those of the last computation. Later decisions and withdrawals are left out.",
    "Findings of sale checks are those of the last check of each sale.",
    "A license has its status at the end of a day, as compared with the register of that day.",
    "Readers are counted by UTC days. Commands of the operator are not counted.",
  ];
}

/** The deposits that count on the days, oldest day first. */
async function readDeposits(table: Table, crbId: string, window: Window): Promise<Deposit[]> {
  const deposits: Deposit[] = [];
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const page = await listDeposits(table, crbId, { ...window, cursor, limit: 1_000 });
    deposits.push(...page.records);
    ({ cursor, hasMore } = page);
  }
  return deposits.reverse();
}

function sumDeposits(deposits: readonly Deposit[]): StatementContent["deposits"]["by_type"] {
  return depositTypes.flatMap((type) =>
    [true, false].flatMap((counted) => {
      const rows = deposits.filter((each) => each.type === type && (each.excluded_reason === null) === counted);
      const amount = rows.reduce((sum, each) => sum + each.amount, 0);
      return rows.length > 0 ? [{ type, counted, count: rows.length, amount }] : [];
    }),
  );
}

function balanceOf(days: StatementContent["deposits"]["days"]): StatementContent["deposits"]["balance"] {
  const last = days.findLast(({ counted }) => counted !== null);
  if (!last) return null;
  const { date, balance_low, balance_high, counted } = last;
  return { date, balance_low, balance_high, counted };
}

/** The insights that are about a day of the statement, or were raised on one; by their first day and id. */
async function readInsights(
  table: Table,
  crbId: string,
  { start_date, end_date, asOf, timezone }: Window & { asOf: string; timezone: string },
): Promise<StatementContent["insights"]> {
  // The summary is sorted after all insights.
  const items = await table.queryPartition(insightsPartition(crbId), { from: "0", to: "A", consistent: true });
  const isInside = (from: string, to: string) => from <= end_date && to >= start_date;
  const wasRaisedInside = (raised: string) => {
    const day = localDay(new Date(raised), timezone);
    return isInside(day, day);
  };
  return items
    .map((item) => toStoredInsight(item).insight)
    .filter((each) => isInside(each.start_date, each.end_date) || wasRaisedInside(each.raised_date))
    .flatMap((each) => insightAsOf(each, asOf) ?? [])
    .sort((one, other) => (one.start_date + one.id < other.start_date + other.id ? -1 : 1));
}

/** The licenses that were linked at the end of the first or of the last day, or are linked at the instant; by id. */
async function readLicenses(
  table: Table,
  crbId: string,
  { start_date, end_date, asOf }: Window & { asOf: string },
): Promise<StatementLicense[]> {
  const history = await readLicenseHistory(table, crbId);
  return [...history]
    .flatMap(([license_id, statuses]) => {
      const [start, end] = [statusAtEndOf(statuses, start_date), statusAtEndOf(statuses, end_date)];
      const shown = end ?? start ?? statusAtEndOf(statuses, utcDay(new Date(asOf)));
      if (!shown) return [];
      const { number, holder, expires_at } = shown;
      const status = (at: typeof start) => (at?.status ?? null) as StatementLicense["status_at_end"];
      return [{ license_id, number, holder, status_at_start: status(start), status_at_end: status(end), expires_at }];
    })
    .sort((one, other) => (one.license_id < other.license_id ? -1 : 1));
}
