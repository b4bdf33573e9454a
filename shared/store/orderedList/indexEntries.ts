import { itemId, type RawItem, type Table } from "../client.ts";
import { dayOfEntry, entryKey, entryRange, type IndexedField, recordIdOfEntry } from "../keys/indexEntries.ts";
import type { Key } from "../keys/key.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { numberToPosition, parsePosition, positionToNumber } from "../keys/positions.ts";
import type { DayWindow } from "./dayIndex.ts";

export type IndexedFieldExtractor = (record: Record<string, unknown>) => IndexedField[];

export type OrderName = keyof OrderedList["orders"];

export interface RecordPlace {
  /** The record's position in the order of updates; empty in a list with plain entries. */
  rank: string;
  /** The record's day of sale, yyyy-MM-dd; empty in a list without an order by sale day. */
  saleDay: string;
}

/**
 * Plans the entries that a change of a record puts and deletes. Entries with positions are all put, because the position
 * changes.
 *
 * @param before the indexed fields of the stored record; undefined for a new record
 */
export function planEntryMoves(
  list: OrderedList,
  id: string,
  before: readonly IndexedField[] | undefined,
  after: readonly IndexedField[],
): { key: Key; move: "put" | "take" }[] {
  const keys = (terms: readonly IndexedField[]) =>
    new Map(terms.map((term) => entryKey(list, term, id)).map((key) => [itemId(key), key]));
  const old = keys(before ?? []);
  const fresh = keys(after);
  return [
    ...[...fresh.values()]
      .filter((key) => !list.hasPlainEntries || !old.has(itemId(key)))
      .map((key) => ({ key, move: "put" as const })),
    ...[...old.values()].filter((key) => !fresh.has(itemId(key))).map((key) => ({ key, move: "take" as const })),
  ];
}

/** The non-key attributes of an entry. With positions, matches are divided into pages without a read of the records. */
export const toEntryAttributes = (list: OrderedList, { rank }: { rank: string }): { at?: number } =>
  list.hasPlainEntries ? {} : { at: positionToNumber(rank) };

/** Whether a record with the fields `present` has all the given values. */
export const hasAll = (present: readonly IndexedField[], wanted: readonly IndexedField[]): boolean =>
  wanted.every((term) => present.some(({ field, value }) => field === term.field && value === term.value));

export interface EntryReading {
  consistent: boolean;
  /** The days of sale of the records, yyyy-MM-dd, both inclusive; an absent bound is open. */
  saleDays?: DayWindow | undefined;
  /** The read stops after this number of entries. */
  max?: number | undefined;
}

/** Reads what the entries of a value say. Returns it by record id. */
export async function readEntries(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  { consistent, saleDays, max }: EntryReading,
): Promise<Map<string, RecordPlace>> {
  const { pk, ...bounds } = entryRange(list, term, saleDays);
  const limit = max === undefined ? {} : { limit: max };
  const items = await table.queryRaw(pk, { ...bounds, attributes: entryAttributes, consistent, ...limit });
  return new Map(items.map(parseEntry));
}

/**
 * About the entries in a response of 1 MB: without a limit, the local engine reads the rest of the partition for each
 * response.
 */
const maxEntriesInPart = 10_000;

/** Reads the entries of a value consistently and in parts of `max`, for values whose entries do not fit into memory. */
export async function* streamEntries(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  max: number = maxEntriesInPart,
): AsyncGenerator<(readonly [id: string, places: RecordPlace])[]> {
  const { pk, ...bounds } = entryRange(list, term);
  const query = { ...bounds, attributes: entryAttributes, consistent: true, limit: max };
  for await (const items of table.queryParts(pk, query)) yield items.map(parseEntry);
}

const entryAttributes = ["sk", "at"];

/** The id of an entry's record, and what the entry says of it. */
const parseEntry = ({ sk, at }: RawItem): [id: string, place: RecordPlace] => [
  recordIdOfEntry(sk?.S ?? ""),
  { rank: at?.N ? numberToPosition(Number(at.N)) : "", saleDay: dayOfEntry(sk?.S ?? "") },
];

/** The place that a record itself says. */
export const placeOf = ({ rank, saleRank }: RawItem): RecordPlace => ({
  rank: rank?.S ?? "",
  saleDay: parsePosition(saleRank?.S ?? "").day,
});
