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

/** The keys of the entries of a record with these fields, by `itemId`. */
export const entryKeys = (list: OrderedList, id: string, terms: readonly IndexedField[]): Map<string, Key> =>
  new Map(terms.map((term) => entryKey(list, term, id)).map((key) => [itemId(key), key]));

/** Plans the entries that a change of fields puts or deletes. All with positions are put: the position changes. */
export function planEntryMoves(
  list: OrderedList,
  id: string,
  before: readonly IndexedField[],
  after: readonly IndexedField[],
): { key: Key; isPut: boolean }[] {
  const [old, fresh] = [entryKeys(list, id, before), entryKeys(list, id, after)];
  return [...new Map([...fresh, ...old])].flatMap(([entry, key]) =>
    list.hasPlainEntries && old.has(entry) && fresh.has(entry) ? [] : [{ key, isPut: fresh.has(entry) }],
  );
}

/** The non-key attributes of an entry. With positions, matches are divided into pages without a read of the records. */
export const toEntryAttributes = (list: OrderedList, { rank }: { rank: string }): { at?: number } =>
  list.hasPlainEntries ? {} : { at: positionToNumber(rank) };

/** Whether a record with the fields `present` has all the given values. */
export const hasAll = (present: readonly IndexedField[], wanted: readonly IndexedField[]): boolean =>
  wanted.every((term) => present.some(({ field, value }) => field === term.field && value === term.value));

/** Reads the places in the entries of a value, by record id. `saleDays` limits their days, `max` their number. */
export async function readEntries(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  reading: { consistent: boolean; saleDays?: DayWindow | undefined; max?: number | undefined },
): Promise<Map<string, RecordPlace>> {
  const { consistent, saleDays, max } = reading;
  const { pk, ...bounds } = entryRange(list, term, saleDays);
  const query = { ...bounds, attributes: entryAttributes, consistent, ...(max !== undefined && { limit: max }) };
  return new Map((await table.queryRaw(pk, query)).map(parseEntry));
}

/** About the entries in 1 MB: without a limit, the local engine reads the rest of the partition for each response. */
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
