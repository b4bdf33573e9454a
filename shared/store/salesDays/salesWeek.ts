import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { addDays } from "../../time/addDays.ts";
import { type Item, type PartitionQuery, type Table, unchanged } from "../client.ts";
import { flaggedDayKey, type OrderedList, revisedDayKey, salesWeekKey } from "../keys/orderedLists.ts";
import {
  addDigests,
  digestBytes,
  emptyDigest,
  packDigest,
  type RecordDigest,
  subtractDigests,
  unpackDigest,
} from "../recordDigest.ts";
import { addFigures, type DayFigures, packFigures, subtractFigures, unpackFigures } from "./dayFigures.ts";
import { packColumns, unpackColumns } from "./packColumns.ts";

/** The stored totals of one sales day. */
export interface SalesDayTotals {
  figures: DayFigures;
  digest: RecordDigest;
  /** Time of the last change of the totals, ISO 8601 UTC. */
  updatedAt: string;
  /** When the day became complete for the first time, ISO 8601 UTC; null before. */
  completedAt: string | null;
  /** The number of transactions that have changed the day since `completedAt`. */
  revision: number;
}

/** The totals of the sales days of one week: one item, which mostly takes one write unit, as an item of one day would. */
export interface SalesWeek {
  /** The first day, yyyy-MM-dd. */
  monday: string;
  /** Raised by every change; 0 if the item is not stored yet. */
  version: number;
  /** The totals by day, yyyy-MM-dd. A day without records that was never complete is absent. */
  days: ReadonlyMap<string, SalesDayTotals>;
}

/** The complete days: all days up to `until` (yyyy-MM-dd). The last of them were completed at `at` (ISO 8601 UTC). */
export interface CompletedDays {
  until: string;
  at: string;
}

/** The figures and the digest that one sale adds to the totals of its day. */
export interface SaleContribution {
  day: string;
  figures: DayFigures;
  digest: RecordDigest;
}

/** A change of a sale: its contribution before and after. `from` is absent for a new sale. */
export interface ContributionChange {
  from?: SaleContribution | undefined;
  to: SaleContribution;
}

const noTotals: SalesDayTotals = { figures: {}, digest: emptyDigest, updatedAt: "", completedAt: null, revision: 0 };

/** The Monday of the week of a day, both yyyy-MM-dd. */
export function mondayOf(day: string): string {
  const daysSinceMonday = (new Date(`${day}T00:00:00.000Z`).getUTCDay() + 6) % 7;
  return addDays(day, -daysSinceMonday);
}

/** A week that is not stored. */
export const emptyWeek = (monday: string): SalesWeek => ({ monday, version: 0, days: new Map() });

/** Whether the totals cover all sales: a change of a damaged record drops the digest until a rebuild. One read unit. */
export async function hasSalesTotals(table: Table, { orders: { rank } }: OrderedList): Promise<boolean> {
  const newest = { consistent: true, newestFirst: true, limit: 1 };
  const [newestYear] = await table.queryPartition(rank.dayIndexPartition, newest);
  return !newestYear || newestYear.digest !== undefined;
}

/**
 * Reads the weeks of a window of days, by default consistently and the oldest first. A year takes about ten read units.
 *
 * @param window all weeks if it has no bounds; the first and the last week may have days outside the window
 */
export async function readSalesWeeks(
  table: Table,
  partition: string,
  { from, to }: { from?: string | undefined; to?: string | undefined } = {},
  options: Pick<PartitionQuery, "consistent" | "newestFirst" | "limit"> = {},
): Promise<SalesWeek[]> {
  // Weeks begin with a digit. Other items of the partition are sorted after them.
  const bounds = { from: from ? mondayOf(from) : "0000", to: to ? mondayOf(to) : "9999-12-31" };
  return (await table.queryPartition(partition, { ...bounds, consistent: true, ...options })).map(toSalesWeek);
}

/** Reads weeks consistently. A week that is not stored is empty. */
export async function loadSalesWeeks(
  table: Table,
  partition: string,
  mondays: Iterable<string>,
): Promise<Map<string, SalesWeek>> {
  const empty = Array.from(mondays, emptyWeek);
  const keys = empty.map(({ monday }) => salesWeekKey(partition, monday));
  const items = await table.batchGet(keys, { consistent: true });
  const stored = [...items.values()].map(toSalesWeek);
  return new Map([...empty, ...stored].map((week) => [week.monday, week]));
}

/**
 * The weeks that changes of sales change, with their next versions.
 *
 * @param weeks contains all weeks of the changed days
 * @param at the time of the change, ISO 8601 UTC
 * @param completed a day up to `until` is complete even if it had no sales until now, so its first sale is a revision
 */
export function applyContributions(
  weeks: ReadonlyMap<string, SalesWeek>,
  changes: readonly ContributionChange[],
  at: string,
  completed?: CompletedDays,
): Map<string, SalesWeek> {
  const changed = new Map<string, SalesDayTotals>();
  const before = (day: string): SalesDayTotals => {
    const stored = weeks.get(mondayOf(day))?.days.get(day);
    return stored ?? { ...noTotals, completedAt: completed && day <= completed.until ? completed.at : null };
  };
  const totals = (day: string) => changed.get(day) ?? before(day);
  for (const { from, to } of changes) {
    if (from) {
      const { figures, digest, ...rest } = totals(from.day);
      const left = { figures: subtractFigures(figures, from.figures), digest: subtractDigests(digest, from.digest) };
      changed.set(from.day, { ...rest, ...left });
    }
    const { figures, digest, ...rest } = totals(to.day);
    const sums = { figures: addFigures(figures, to.figures), digest: addDigests(digest, to.digest) };
    changed.set(to.day, { ...rest, ...sums });
  }
  const next = new Map<string, SalesWeek>();
  for (const [day, { completedAt, revision, ...rest }] of changed) {
    const total = { ...rest, completedAt, revision: completedAt === null ? 0 : revision + 1, updatedAt: at };
    const monday = mondayOf(day);
    const week = next.get(monday) ?? raiseVersion(weeks.get(monday) ?? emptyWeek(monday));
    next.set(monday, setDay(week, day, total));
  }
  return next;
}

export const raiseVersion = (week: SalesWeek): SalesWeek => ({ ...week, version: week.version + 1 });

/** Sets the totals of a day. A day without records that was never complete is dropped. */
export function setDay(week: SalesWeek, day: string, totals: SalesDayTotals): SalesWeek {
  const days = new Map(week.days);
  if (totals.completedAt === null && !totals.figures.records) days.delete(day);
  else days.set(day, totals);
  return { ...week, days };
}

/** The totals of a day. If the week has none for it, they are those of a day without sales. */
export const totalsOf = (week: SalesWeek | undefined, day: string): SalesDayTotals => week?.days.get(day) ?? noTotals;

/** The write of a changed week, on condition that no other writer has changed it. */
export const weekWrite = (table: Table, partition: string, week: SalesWeek): TransactWriteItem =>
  table.putWrite(toItem(partition, week), unchanged("version", week.version - 1 || undefined));

/** The writes of changed weeks, with outbox items for revised days and for days with more flagged sales than before. */
export function totalsWrites(
  table: Table,
  partition: string,
  before: ReadonlyMap<string, SalesWeek>,
  changed: ReadonlyMap<string, SalesWeek>,
): TransactWriteItem[] {
  return [...changed].flatMap(([monday, week]) => [
    weekWrite(table, partition, week),
    ...[...week.days].flatMap(([day, totals]) => {
      const { revision } = totals;
      const [earlier, flags] = [totalsOf(before.get(monday), day), flaggedSales(totals)];
      const { red_flag, warning } = flaggedSales(earlier);
      const isFlagged = flags.red_flag > red_flag || flags.warning > warning;
      return [
        ...(revision > earlier.revision ? [table.putWrite({ ...revisedDayKey(partition, day), revision })] : []),
        ...(isFlagged ? [table.putWrite({ ...flaggedDayKey(partition, day), ...flags })] : []),
      ];
    }),
  ]);
}

/** The numbers of flagged sales of a day, as its outbox item has them. */
export const flaggedSales = ({ figures }: SalesDayTotals) => ({
  red_flag: figures["red_flag.count"] ?? 0,
  warning: figures["warning.count"] ?? 0,
});

function toItem(partition: string, { monday, version, days }: SalesWeek): Item {
  const sorted = [...days].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...salesWeekKey(partition, monday),
    version,
    days: packColumns(sorted.map(([day, totals]) => packDay(monday, day, totals))),
    digests: Buffer.concat(sorted.map(([, { digest }]) => packDigest(digest))),
  };
}

/** Reads a stored week. */
export function toSalesWeek(item: Item): SalesWeek {
  type StoredWeek = Item & { version: number; days: Uint8Array; digests: Uint8Array };
  const { sk: monday, version, days, digests } = item as StoredWeek;
  const unpacked = unpackColumns(days, digests.byteLength / digestBytes).map((row, i) =>
    unpackDay(monday, row, unpackDigest(digests.subarray(digestBytes * i, digestBytes * (i + 1)))),
  );
  return { monday, version, days: new Map(unpacked) };
}

/** One day as it is stored, with times in milliseconds after the day's start in UTC, because these are short numbers. */
function packDay(monday: string, day: string, totals: SalesDayTotals): number[] {
  const { updatedAt, completedAt, revision, figures } = totals;
  const start = Date.parse(day);
  return [
    daysOfWeek(monday).indexOf(day),
    Date.parse(updatedAt) - start,
    Number(completedAt !== null),
    completedAt === null ? 0 : Date.parse(completedAt) - start,
    revision,
    ...packFigures(figures),
  ];
}

function unpackDay(monday: string, row: readonly number[], digest: RecordDigest): [string, SalesDayTotals] {
  const [daysAfterMonday = 0, updatedMs = 0, isComplete, completedMs = 0, revision = 0, ...figures] = row;
  const day = addDays(monday, daysAfterMonday);
  const timeAfter = (milliseconds: number) => new Date(Date.parse(day) + milliseconds).toISOString();
  const completedAt = isComplete ? timeAfter(completedMs) : null;
  return [day, { figures: unpackFigures(figures), digest, updatedAt: timeAfter(updatedMs), completedAt, revision }];
}

/** The seven days of a week, yyyy-MM-dd. */
export const daysOfWeek = (monday: string): string[] => Array.from({ length: 7 }, (_, i) => addDays(monday, i));
