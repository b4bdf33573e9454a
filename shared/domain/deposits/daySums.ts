import { type Item, itemId, type Table, unchanged } from "../../store/client.ts";
import { reconciliationYearKey } from "../../store/keys/deposits.ts";
import { packColumns, unpackColumns } from "../../store/salesDays/packColumns.ts";
import { addDays } from "../../time/addDays.ts";

/** What the service provider has stored about a business day. Amounts are in cents. */
export interface DaySums {
  /** Sum of the deposits of cash that count on the day. */
  cash: number;
  /** Number of these deposits with an amount above 0. */
  cashDeposits: number;
  /** Sum of the settlements of cards that count on the day. */
  card: number;
  /** The cash at the business at the end of the day; null if it was not counted. */
  count: number | null;
  /** Number of transactions that have changed these figures. */
  revision: number;
  /** What events have reported; null before the day was compared for the first time. */
  reported: Reported | null;
}

/** The last reported revision of a day, and whether an event has reported each of the statuses that exceed a tolerance. */
export interface Reported {
  revision: number;
  deposits_unexplained: boolean;
  cash_outstanding: boolean;
}

/** The sums of the days of one year, stored as one item of 4 KB or a little more. */
export interface YearSums {
  /** yyyy */
  year: string;
  /** Raised by every change; 0 if the item is not stored yet. */
  version: number;
  /** By day, yyyy-MM-dd. A day without deposits, count and report is absent. */
  days: ReadonlyMap<string, DaySums>;
}

export const noSums: DaySums = { cash: 0, cashDeposits: 0, card: 0, count: null, revision: 0, reported: null };

export const yearOf = (day: string): string => day.slice(0, 4);

/** Reads years consistently. A year that is not stored is empty. */
export async function loadYears(table: Table, crbId: string, years: Iterable<string>): Promise<Map<string, YearSums>> {
  const keys = [...new Set(years)].map((year) => reconciliationYearKey(crbId, year));
  const items = await table.batchGet(keys, { consistent: true });
  return new Map(keys.map((key) => [key.sk, toYear(items.get(itemId(key)) ?? { ...key })]));
}

/** Returns a year with changed days. */
export function withDays(year: YearSums, changed: Iterable<readonly [string, DaySums]>): YearSums {
  return { ...year, days: new Map([...year.days, ...changed]) };
}

/** The write of a changed year, on condition that no other writer has changed it. */
export function yearWrite(table: Table, crbId: string, { year, version, days }: YearSums) {
  const sorted = [...days].sort(([one], [other]) => (one < other ? -1 : 1));
  const item = {
    ...reconciliationYearKey(crbId, year),
    version: version + 1,
    rows: sorted.length,
    days: packColumns(sorted.map(([day, sums]) => packDay(year, day, sums))),
  };
  return table.putWrite(item, unchanged("version", version || undefined));
}

/** Reads a stored year; an item without days is an empty year. */
export function toYear({ sk: year, version = 0, rows = 0, days = new Uint8Array() }: Item): YearSums {
  const unpacked = unpackColumns(days as Uint8Array, rows as number);
  return { year, version: version as number, days: new Map(unpacked.map((row) => unpackDay(year, row))) };
}

const dayMs = 24 * 60 * 60_000;

function packDay(year: string, day: string, { cash, cashDeposits, card, count, revision, reported }: DaySums) {
  return [
    (Date.parse(day) - Date.parse(`${year}-01-01`)) / dayMs,
    revision,
    cash,
    cashDeposits,
    card,
    Number(count !== null),
    count ?? 0,
    Number(reported !== null),
    reported?.revision ?? 0,
    Number(reported?.deposits_unexplained ?? false),
    Number(reported?.cash_outstanding ?? false),
  ];
}

function unpackDay(year: string, row: readonly number[]): [string, DaySums] {
  const [dayOfYear = 0, revision = 0, cash = 0, cashDeposits = 0, card = 0, isCounted, count = 0, ...rest] = row;
  const [isReported, reportedRevision = 0, unexplained, outstanding] = rest;
  return [
    addDays(`${year}-01-01`, dayOfYear),
    {
      cash,
      cashDeposits,
      card,
      count: isCounted ? count : null,
      revision,
      reported: isReported
        ? {
            revision: reportedRevision,
            deposits_unexplained: Boolean(unexplained),
            cash_outstanding: Boolean(outstanding),
          }
        : null,
    },
  ];
}
