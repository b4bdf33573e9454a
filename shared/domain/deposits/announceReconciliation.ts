import type { ReconciliationDay } from "../../api/schemas/reconciliation.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { maxEventsOfType, type NewEvent } from "../../store/eventLog/newEvent.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { addDays } from "../../time/addDays.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { noSums, type Reported, withDays, type YearSums, yearOf, yearWrite } from "./daySums.ts";
import { depositCaseWrites } from "./depositCases.ts";
import { type Reconciliation, readReconciliation } from "./readReconciliation.ts";

/** Days whose changes are noticed, counted back from the newest day. */
const watchedDays = 366;

/**
 * Records `reconciliation_day.exceeded` for each compared day whose status has become `deposits_unexplained` or
 * `cash_outstanding`, and `reconciliation_day.revised` for each day whose own sums have changed since it was compared first
 * (docs/spec.md#reconciliation-days). One transaction records the events and what they report, so each event exists once. The same
 * transaction keeps the cases that insights read. A call that was interrupted is completed by the next call.
 *
 * @returns the number of events
 * @throws ServiceError "unavailable" if the table cannot be reached, or every attempt conflicts with another writer
 */
export async function announceReconciliation(table: Table, crbId: string, clock: Clock = systemClock): Promise<number> {
  return retryOnConflict(clock, async () => {
    const read = await readReconciliation(table, crbId, { limit: watchedDays });
    if (read.crb.endedAt) return 0;
    const { changed, events } = planReports(read, crbId);
    const writes = [
      ...changed.map((year) => yearWrite(table, crbId, year)),
      ...depositCaseWrites(table, crbId, read, clock),
    ];
    if (writes.length === 0) return 0;
    await commitWithEvents(table, { writes, events }, clock);
    return events.length;
  });
}

/**
 * Like `announceReconciliation`, at the end of a request whose changes are stored. A failure is only logged, because the next
 * scheduled run reports the same days.
 */
export async function tryAnnounceReconciliation(table: Table, crbId: string): Promise<void> {
  await announceReconciliation(table, crbId).catch((error) =>
    log.warn("reconciliation days not reported; the next run reports them", {
      crb_id: crbId,
      error: describeError(error),
    }),
  );
}

/** The events of days that no event has reported yet, and the years that remember the reports. */
function planReports({ crb, state, years, days }: Reconciliation, crbId: string) {
  const firstRead = state?.first_succeeded_at?.slice(0, 10) ?? "";
  const firstDay = firstRead && addDays(firstRead, -maxEventsOfType);
  const owners = { spId: crb.serviceProviderId, crbId };
  const reports = days
    .filter(({ status }) => status !== "not_compared")
    .flatMap((day) => {
      const sums = years.get(yearOf(day.date))?.days.get(day.date) ?? noSums;
      const report = reportOf(day, sums.reported);
      return report ? [{ day, report, before: sums.reported, sums }] : [];
    });
  const reported = reports.filter(({ day }) => day.date >= firstDay);
  const exceeded = reported
    .filter(({ day, before }) => isExceeding(day.status) && !before?.[day.status])
    .slice(-maxEventsOfType)
    .map(({ day: { date, status } }) => ({ type: "reconciliation_day.exceeded", ...owners, data: { date, status } }));
  const revised = reported
    .filter(({ before, report }) => before && before.revision < report.revision)
    .slice(-maxEventsOfType)
    .map(({ day: { date, revision } }) => ({
      type: "reconciliation_day.revised",
      ...owners,
      data: { date, revision },
    }));
  const byYear = Map.groupBy(reports, ({ day }) => yearOf(day.date));
  const changed = [...byYear].map(([year, ofYear]): YearSums => {
    const stored = years.get(year) ?? { year, version: 0, days: new Map() };
    return withDays(
      stored,
      ofYear.map(({ day, sums, report }) => [day.date, { ...sums, reported: report }]),
    );
  });
  return { changed, events: [...revised, ...exceeded] as NewEvent[] };
}

type Exceeding = "deposits_unexplained" | "cash_outstanding";

function isExceeding(status: ReconciliationDay["status"]): status is Exceeding {
  return status === "deposits_unexplained" || status === "cash_outstanding";
}

/** The facts that are reported of a day after the events; undefined if nothing changes. */
function reportOf({ status, revision }: ReconciliationDay, before: Reported | null): Reported | undefined {
  const report = {
    revision: Math.max(revision, before?.revision ?? 0),
    deposits_unexplained: before?.deposits_unexplained || status === "deposits_unexplained",
    cash_outstanding: before?.cash_outstanding || status === "cash_outstanding",
  };
  const isNew =
    !before ||
    before.revision !== report.revision ||
    before.deposits_unexplained !== report.deposits_unexplained ||
    before.cash_outstanding !== report.cash_outstanding;
  return isNew ? report : undefined;
}
