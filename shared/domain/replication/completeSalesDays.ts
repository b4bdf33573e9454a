import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { insightsDueKey } from "../../store/keys/insights.ts";
import { recordList, salesTotalsPartition } from "../../store/keys/orderedLists.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { withFence } from "../../store/orderedList/fence.ts";
import { formatDigest } from "../../store/recordDigest.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import {
  daysOfWeek,
  hasSalesTotals,
  loadSalesWeeks,
  mondayOf,
  raiseVersion,
  readSalesWeeks,
  type SalesDayTotals,
  type SalesWeek,
  setDay,
  totalsOf,
  weekWrite,
} from "../../store/salesDays/salesWeek.ts";
import { addDays } from "../../time/addDays.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { localDay } from "../../time/localTime.ts";
import type { ReplicationState, SalesDayProgress } from "./replicationState.ts";
import type { RunContext } from "./runContext.ts";

/**
 * Maximum number of days that events report after the first full reading. Then the days of many years become complete at
 * once, and their events would delay the events of other businesses.
 */
const maxFirstEvents = 31;

/**
 * The last sales day that was over at `dataAsOf`. All of its sales are stored.
 *
 * @param dataAsOf the time up to which all sales are stored, ISO 8601 UTC
 */
function lastCompleteDay(dataAsOf: string, timezone: string): string {
  return addDays(localDay(new Date(dataAsOf), timezone), -1);
}

/**
 * Whether sales days may have become complete.
 *
 * @param dataAsOf the time up to which all sales are stored, ISO 8601 UTC
 * @param before the days that are complete already; undefined before the first full reading
 */
export function canCompleteSalesDays(
  dataAsOf: string,
  timezone: string,
  before: SalesDayProgress | undefined,
): boolean {
  return !before || Boolean(before.is_rebuilt) || lastCompleteDay(dataAsOf, timezone) > before.until;
}

/**
 * Marks sales days as complete, and records an event for each (docs/spec.md#sales-days). One transaction completes the days of
 * a week, so each day is completed once, even if the worker is killed. Call it under the lease of the sales. A failure is only
 * logged, because the next run completes the same days.
 *
 * @param dataAsOf the time up to which all sales are stored, ISO 8601 UTC
 * @param before the days that are complete already; undefined before the first full reading
 */
export async function tryCompleteSalesDays(
  context: RunContext,
  dataAsOf: string,
  before: SalesDayProgress | undefined,
): Promise<void> {
  await new SalesDayCompletion(context, dataAsOf, before)
    .run()
    .catch((error) =>
      log.warn("sales days not completed; the next run completes them", {
        crb_id: context.connection.crbId,
        error: describeError(error),
      }),
    );
}

class SalesDayCompletion {
  readonly #table: Table;
  readonly #context: RunContext;
  readonly #before: SalesDayProgress | undefined;
  /** whether stored days up to the last complete day may be incomplete */
  readonly #checksAll: boolean;
  /** the last day to complete */
  readonly #until: string;
  readonly #partition: string;

  constructor(context: RunContext, dataAsOf: string, before: SalesDayProgress | undefined) {
    this.#table = context.table;
    this.#context = context;
    this.#before = before;
    this.#checksAll = !before || Boolean(before.is_rebuilt);
    this.#until = lastCompleteDay(dataAsOf, context.connection.timezone);
    this.#partition = salesTotalsPartition(context.connection.crbId);
  }

  /** @throws LeaseLostError; OutOfTimeError at the deadline; ServiceError "unavailable" if the table cannot be reached */
  async run(): Promise<void> {
    const { clock, deadline } = this.#context;
    if (!(await hasSalesTotals(this.#table, recordList(this.#context.connection.crbId, "sale")))) return;
    const since = this.#checksAll ? await this.#lastDayToSkip() : this.#before?.until;
    const stored = this.#checksAll ? await readSalesWeeks(this.#table, this.#partition, { to: this.#until }) : [];
    const mondays = new Set(stored.map(({ monday }) => monday));
    for (let day = since && addDays(since, 1); day && day <= this.#until; day = addDays(mondayOf(day), 7))
      mondays.add(mondayOf(day));
    for (const monday of [...mondays].sort()) {
      checkDeadline(clock, deadline);
      await this.#completeWeek(monday, since);
    }
    if (!this.#checksAll) return;
    const [until = this.#until] = [this.#before?.until ?? "", this.#until].sort().reverse();
    await this.#commit([this.#progressWrite(until)], []);
  }

  /**
   * The last day that is not listed if it has no sales: the day before the first full reading ended, or an earlier day up to
   * which another shop's days are complete. An interrupted completion, or a restore that lost part of one, leaves later days to
   * complete.
   */
  async #lastDayToSkip(): Promise<string | undefined> {
    const { crbId, timezone } = this.#context.connection;
    const state = await this.#table.get(replicationKey(crbId, "sale"), { consistent: true });
    const { first_succeeded_at: first } = (state ?? {}) as Partial<ReplicationState>;
    const days = [...(first ? [lastCompleteDay(first, timezone)] : []), ...(this.#before ? [this.#before.until] : [])];
    return days.sort()[0];
  }

  async #completeWeek(monday: string, since: string | undefined): Promise<void> {
    await retryOnConflict(this.#context.clock, async () => {
      const weeks = await loadSalesWeeks(this.#table, this.#partition, [monday]);
      const week = weeks.get(monday) as SalesWeek;
      const at = this.#context.clock.now().toISOString();
      let next = raiseVersion(week);
      const completed: [string, SalesDayTotals][] = [];
      for (const day of daysOfWeek(monday)) {
        const totals = totalsOf(week, day);
        const isDue = totals.figures.records || (since !== undefined && day > since);
        if (day > this.#until || totals.completedAt !== null || !isDue) continue;
        const complete = { ...totals, completedAt: at, updatedAt: totals.updatedAt || at };
        next = setDay(next, day, complete);
        completed.push([day, complete]);
      }
      const due = this.#table.putWrite({ ...insightsDueKey(this.#context.connection.crbId), at });
      const writes = completed.length > 0 ? [weekWrite(this.#table, this.#partition, next), due] : [];
      // If all days are examined, the progress is stored only at the end: a killed worker must leave no stored day open.
      const [reached = this.#until] = [addDays(monday, 6), this.#until].sort();
      if (!this.#checksAll) writes.push(this.#progressWrite(reached));
      if (writes.length > 0) await this.#commit(writes, completed);
    });
  }

  async #commit(writes: TransactWriteItem[], completed: readonly [string, SalesDayTotals][]): Promise<void> {
    const { clock, fence, connection } = this.#context;
    const crb = await readCrb(this.#table, connection.crbId, { consistent: true });
    const since = this.#before?.until ?? this.#until;
    const firstReported = addDays(this.#until, 1 - maxFirstEvents);
    const reported = completed.filter(([day]) => !this.#checksAll || day > since || day >= firstReported);
    const events = reported.map(([date, { figures, digest }]) => ({
      type: "sales_day.completed" as const,
      spId: crb?.serviceProviderId ?? "",
      crbId: connection.crbId,
      data: { date, records: figures.records ?? 0, total_paid: figures.total_paid ?? 0, digest: formatDigest(digest) },
    }));
    await withFence(this.#table, fence, (stands) =>
      commitWithEvents(this.#table, { writes: [stands, ...writes], events: crb ? events : [] }, clock),
    );
  }

  #progressWrite(until: string): TransactWriteItem {
    const completed: SalesDayProgress = { until, at: this.#context.clock.now().toISOString() };
    return this.#table.setWrite(replicationKey(this.#context.connection.crbId, "sale"), {
      sales_days_completed: completed,
    });
  }
}
