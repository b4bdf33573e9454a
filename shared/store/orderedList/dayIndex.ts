import { deflateRawSync, inflateRawSync } from "node:zlib";

/** What a day index knows of one day of a list. */
export interface DayCounts {
  /** Slots handed out so far; the next record of the day takes this one. */
  allocated: number;
  /** Slots that hold a record now. */
  active: number;
}

/** The days of one year that hold records. */
export interface DayIndex {
  /** yyyy */
  year: string;
  /** Raised by every change of these days' records; 0 when the item does not exist yet. */
  version: number;
  /** When that was, epoch milliseconds. */
  changedAt: number;
  /** By day, yyyy-MM-dd. */
  days: ReadonlyMap<string, DayCounts>;
  /**
   * In the newest year's: the version of every other year's, by year, so that a reader of several knows whether they fit.
   * undefined once a later year has begun.
   */
  others: Readonly<Record<string, number>> | undefined;
  /** In the newest year's: which partitions of entries are lists of their own (`dedicatedIndexes.ts`), and since when, epoch ms. */
  dedicatedIndexes?: Readonly<Record<string, number>> | undefined;
  /** In the newest year's: which others may have items of a list that is none: one being made, or removed, or cut off at that. */
  unfinishedIndexes?: readonly string[] | undefined;
  /**
   * In the newest year's: when the list was last rebuilt (`listRebuild/`), epoch ms; undefined if never. Cursors and daily
   * snapshots of another generation are not continued.
   */
  generation?: number | undefined;
}

/** What the newest year's tells of lists of entries. */
export type DedicatedIndexNames = Pick<DayIndex, "dedicatedIndexes" | "unfinishedIndexes">;

export function newDayIndex(year: string): DayIndex {
  return { year, version: 0, changedAt: 0, days: new Map(), others: undefined };
}

export function yearOf(day: string): string {
  return day.slice(0, 4);
}

/**
 * Whether day indexes that were read one after the other are of one state: DynamoDB isolates no query from a transaction,
 * so one year may be read before it and another one after it, or not at all though it has begun.
 *
 * @param day indexes all from some year on, oldest first
 * @param from the year from which on they were read
 */
export function hasConsistentYears(dayIndexes: readonly DayIndex[], from: string): boolean {
  const newest = dayIndexes.at(-1);
  if (!newest) return true;
  const versions = new Map(dayIndexes.map(({ year, version }) => [year, version]));
  const expected = Object.entries(newest.others ?? {}).filter(([year]) => year >= from);
  return (
    newest.others !== undefined &&
    expected.length === dayIndexes.length - 1 &&
    expected.every(([year, version]) => versions.get(year) === version)
  );
}

/**
 * Days as they are stored: deflated JSON, `{"03-15":[slots handed out, of them live]}`, the second number left out where
 * both are equal. Every read and every write pays for these bytes.
 */
export function packDays(days: ReadonlyMap<string, DayCounts>): Uint8Array {
  const packed: Record<string, number[]> = {};
  for (const [day, { allocated, active }] of days)
    packed[day.slice(5)] = active === allocated ? [allocated] : [allocated, active];
  return deflateRawSync(JSON.stringify(packed));
}

/** The reverse of `packDays`. */
export function unpackDays(year: string, packed: Uint8Array): Map<string, DayCounts> {
  const days = Object.entries<number[]>(JSON.parse(inflateRawSync(packed).toString()));
  return new Map(
    days.map(([day, [allocated = 0, active = allocated]]) => [`${year}-${day}`, { allocated: allocated, active }]),
  );
}
