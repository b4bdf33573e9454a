import type * as z from "zod";
import { notFound, ServiceError } from "../../api/errors.ts";
import type { reconciliationDaysQuery } from "../../api/parameters.ts";
import type { ReconciliationDay } from "../../api/schemas/reconciliation.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { depositCasesKey, reconciliationPartition, reconciliationSettingsKey } from "../../store/keys/deposits.ts";
import { recordList, salesTotalsPartition } from "../../store/keys/orderedLists.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { type CursorPage, cursorPage, placeOfCursor } from "../../store/pageCursor.ts";
import {
  hasSalesTotals,
  mondayOf,
  readSalesWeeks,
  type SalesDayTotals,
  type SalesWeek,
  totalsOf,
} from "../../store/salesDays/salesWeek.ts";
import { addDays } from "../../time/addDays.ts";
import { localDay } from "../../time/localTime.ts";
import type { ReplicationState } from "../replication/replicationState.ts";
import { readingTimes } from "../replication/replicationStatus.ts";
import { type DaySums, noSums, toYear, type YearSums, yearOf } from "./daySums.ts";
import { type ComparedDay, type Comparison, invoiceTermDays, reconcileDays } from "./reconcileDays.ts";
import { type StoredSettings, toSettings } from "./settings.ts";

/** Some days of a CRB, compared, with the items from which they were computed. */
export interface Reconciliation {
  crb: Crb;
  state: ReplicationState | undefined;
  /** The stored years of these days and the year before. */
  years: ReadonlyMap<string, YearSums>;
  settings: StoredSettings;
  /** The stored cases that insights read (`depositCaseWrites`). */
  cases: Item | undefined;
  /** Oldest day first. */
  days: ReconciliationDay[];
  /** Whether a day that is not among the days is complete: then nothing was sold on it. */
  isComplete(date: string): boolean;
}

interface Selection {
  /** The first day, inclusive; none if absent. */
  from?: string | undefined;
  /** The last day, inclusive; none if absent. */
  to?: string | undefined;
  /** Maximum number of days, the newest. */
  limit: number;
}

/** The list of sales has no totals. The operator must rebuild it (docs/operations/totals-and-digests.md). */
class TotalsMissingError extends Error {
  override readonly name = "TotalsMissingError";
}

/**
 * Reads a page of a CRB's reconciliation days (docs/spec.md#reconciliation-days), newest day first. A year of days takes some
 * 12 read units, if a cash count is not much older.
 *
 * @throws ServiceError "notFound" if the CRB does not exist; "invalid" on `query.cursor` if the cursor is of another list;
 *   "unavailable" if its list of sales has no totals
 */
export async function listReconciliationDays(
  table: Table,
  crbId: string,
  query: z.output<typeof reconciliationDaysQuery>,
): Promise<CursorPage<ReconciliationDay>> {
  const list = `${reconciliationPartition(crbId)}#DAYS`;
  const after = placeOfCursor(list, query.cursor);
  const ends = [...(query.end_date ? [query.end_date] : []), ...(after ? [addDays(after, -1)] : [])].sort();
  // A cursor of an earlier request may lie before the window.
  if (query.start_date && ends[0] && query.start_date > ends[0]) return cursorPage(list, [], query, ({ date }) => date);
  const selection = { from: query.start_date, to: ends[0], limit: query.limit + 1 };
  const { days } = await readReconciliation(table, crbId, selection);
  return cursorPage(list, days.toReversed(), query, ({ date }) => date);
}

/**
 * Reads the newest days of a window and compares them. The deposits are read consistently. The weeks of sales may be a moment
 * older than that, but each of them is read as it was at one time.
 *
 * @throws ServiceError "notFound" if the CRB does not exist; "unavailable" if its list of sales has no totals
 */
export async function readReconciliation(table: Table, crbId: string, selection: Selection): Promise<Reconciliation> {
  const { from, to, limit } = selection;
  const totals = salesTotalsPartition(crbId);
  const stateKey = replicationKey(crbId, "sale");
  const firstYear = yearBefore(from ?? addDays(to ?? utcTomorrow(table), -limit));
  const weekCount = Math.ceil(limit / 7) + 2;
  const [items, hasTotals, stored, firstWeeks, newest] = await Promise.all([
    table.batchGet([crbKey(crbId), stateKey], { consistent: true }),
    hasSalesTotals(table, recordList(crbId, "sale")),
    readYears(table, crbId, { from: firstYear, to: reconciliationSettingsKey(crbId).sk }),
    readSalesWeeks(table, totals, {}, { consistent: false, limit: 1 }),
    readSalesWeeks(table, totals, { from, to }, { consistent: false, limit: weekCount, newestFirst: true }),
  ]);
  const item = items.get(itemId(crbKey(crbId)));
  if (!item) throw notFound("CRB");
  if (!hasTotals) throw new ServiceError("unavailable", { cause: new TotalsMissingError() });
  const reader = new Reader(table, crbId, { ...stored, firstYear, weeks: newest });
  const crb = toCrb(item);
  const state = items.get(itemId(stateKey)) as unknown as ReplicationState | undefined;
  const completeness = completenessOf(crb, state, firstWeeks);

  let dates = reader.datesWithin(selection);
  // Some days have neither sales nor deposits, so the page may begin before the days that were read.
  if (dates.length < limit) {
    if (newest.length === weekCount) await reader.readWeeks(selection);
    if (!from) await reader.readEarlierYears();
    dates = reader.datesWithin(selection);
  }
  const chosen = dates.slice(-limit);
  const first = chosen[0];
  const read = {
    crb,
    state,
    years: reader.years,
    settings: stored.settings,
    cases: stored.cases,
    isComplete: (date: string) => completeness.isComplete(date, undefined),
  };
  if (first === undefined) return { ...read, days: [] };
  const comparison = comparisonOf(stored.settings, completeness.firstComplete, crb);
  const begin = await reader.readBalance(first, { ...stored.settings, ...comparison });
  const last = chosen.at(-1) ?? first;
  const compared = reader
    .datesWithin({ from: begin.from, to: last })
    .map((date) => reader.dayOf(date, completeness.isComplete));
  const days = reconcileDays(compared, comparison, begin.lastDeposit);
  return { ...read, days: days.filter(({ date }) => date >= first) };
}

const yearBefore = (day: string): string => String(Number(yearOf(day)) - 1).padStart(4, "0");

const utcTomorrow = (table: Table): string => addDays(table.clock.now().toISOString().slice(0, 10), 1);

function comparisonOf(settings: StoredSettings, firstComplete: string | null, { record }: Crb): Comparison {
  const since = settings.since !== null && firstComplete !== null && settings.since > firstComplete;
  return {
    ...settings,
    since: since ? settings.since : firstComplete,
    isWholesale: record.business_type === "wholesale",
  };
}

interface Completeness {
  /** The first complete sales day, yyyy-MM-dd; null if there is none. */
  firstComplete: string | null;
  isComplete(date: string, totals: SalesDayTotals | undefined): boolean;
}

/** Which sales days are complete, as in docs/spec.md#sales-days. A day without sales may have no totals. */
function completenessOf(crb: Crb, state: ReplicationState | undefined, firstWeeks: readonly SalesWeek[]): Completeness {
  const { data_as_of, initial_sync_completed_date } = readingTimes(crb, state);
  const { timezone } = crb.record;
  const isRead = initial_sync_completed_date !== null && (state?.timezone ?? null) === timezone;
  const today = data_as_of === null ? "" : localDay(new Date(data_as_of), timezone);
  const until = state?.sales_days_completed?.until ?? "";
  const [firstComplete = null] = firstWeeks
    .flatMap(({ days }) => [...days])
    .filter(([, { completedAt }]) => completedAt !== null)
    .map(([day]) => day)
    .sort();
  return {
    firstComplete,
    isComplete: (date, totals) => {
      const isCompleted = totals ? totals.completedAt !== null : date <= until && date >= (firstComplete ?? "9999");
      return isRead && isCompleted && date < today;
    },
  };
}

interface StoredYears {
  settings: StoredSettings;
  cases: Item | undefined;
  years: Map<string, YearSums>;
}

/** Reads the years within bounds consistently, with the cases and settings if the upper bound is the key of the settings. */
export async function readYears(
  table: Table,
  crbId: string,
  { from, to }: { from: string; to: string },
): Promise<StoredYears> {
  const items = await table.queryPartition(reconciliationPartition(crbId), { from, to, consistent: true });
  const [cases, settings] = [depositCasesKey, reconciliationSettingsKey].map((keyOf) => keyOf(crbId).sk);
  const years = items.filter(({ sk }) => sk !== cases && sk !== settings).map(toYear);
  return {
    settings: toSettings(items.find(({ sk }) => sk === settings)),
    cases: items.find(({ sk }) => sk === cases),
    years: new Map(years.map((year) => [year.year, year])),
  };
}

/** Whether a day was ever changed by deposits or a count. Other stored days have only the reports about them. */
const isListed = ([, { revision }]: [string, DaySums]): boolean => revision > 0;

/** The years and weeks that were read so far. */
class Reader {
  readonly #table: Table;
  readonly #crbId: string;
  readonly #weeks = new Map<string, SalesWeek>();
  /** The first year that was read. */
  #firstYear: string;
  readonly years: Map<string, YearSums>;

  constructor(
    table: Table,
    crbId: string,
    { years, firstYear, weeks }: { years: Map<string, YearSums>; firstYear: string; weeks: readonly SalesWeek[] },
  ) {
    this.#table = table;
    this.#crbId = crbId;
    this.years = years;
    this.#firstYear = firstYear;
    this.#keep(weeks);
  }

  #keep(weeks: readonly SalesWeek[]): void {
    for (const week of weeks) this.#weeks.set(week.monday, week);
  }

  /** The days with sales, deposits or a count, in their order. */
  datesWithin({ from = "0000", to = "9999-12-31" }: Omit<Selection, "limit">): string[] {
    const sold = [...this.#weeks.values()].flatMap(({ days }) => [...days.keys()]);
    const banked = [...this.years.values()].flatMap(({ days }) => [...days].filter(isListed).map(([day]) => day));
    return [...new Set([...sold, ...banked])].filter((date) => date >= from && date <= to).sort();
  }

  dayOf(date: string, isComplete: Completeness["isComplete"]): ComparedDay {
    const week = this.#weeks.get(mondayOf(date));
    const totals = week?.days.get(date);
    const { figures, revision } = totalsOf(week, date);
    return {
      date,
      figures,
      isComplete: isComplete(date, totals),
      salesRevision: revision,
      sums: this.years.get(yearOf(date))?.days.get(date) ?? noSums,
    };
  }

  async readWeeks(window: { from?: string | undefined; to?: string | undefined }): Promise<void> {
    this.#keep(await readSalesWeeks(this.#table, salesTotalsPartition(this.#crbId), window, { consistent: false }));
  }

  async readEarlierYears(): Promise<void> {
    if (this.#firstYear === "0000") return;
    const to = yearBefore(`${this.#firstYear}-01-01`);
    const { years } = await readYears(this.#table, this.#crbId, { from: "0000", to });
    for (const [year, sums] of years) this.years.set(year, sums);
    this.#firstYear = "0000";
  }

  /**
   * Reads the days that the balance of a day depends on.
   *
   * @returns the first of them, and the last day before it with a deposit of cash
   */
  async readBalance(
    first: string,
    { counts, deposits, max_days_without_deposit: maxDays, isWholesale }: StoredSettings & Comparison,
  ): Promise<{ from: string; lastDeposit?: string }> {
    // A count of the first day is compared with the count before it.
    const lastCount = () => this.#lastDay(addDays(first, -1), ({ count }) => count !== null);
    const hasCount = counts > 0 && lastCount() === undefined;
    const hasDeposit = deposits > 0 && this.#lastDay(first, ({ cashDeposits }) => cashDeposits > 0) === undefined;
    if (hasCount || hasDeposit) await this.readEarlierYears();
    const counted = lastCount();
    // Before a count, invoices of 60 days count.
    const begin = addDays(counted ?? first, isWholesale ? -invoiceTermDays : 0);
    const from = [begin, addDays(first, -maxDays)].sort()[0] as string;
    const read = [...this.#weeks.keys()].sort()[0];
    if (read === undefined || mondayOf(from) < read) {
      await this.readWeeks({ from, to: read ? addDays(read, -1) : first });
    }
    const lastDeposit = this.#lastDay(addDays(from, -1), ({ cashDeposits }) => cashDeposits > 0);
    return { from, ...(lastDeposit !== undefined && { lastDeposit }) };
  }

  #lastDay(until: string, has: (sums: DaySums) => boolean): string | undefined {
    return [...this.years.values()]
      .flatMap(({ days }) => [...days])
      .filter(([day, sums]) => day <= until && has(sums))
      .map(([day]) => day)
      .sort()
      .at(-1);
  }
}
