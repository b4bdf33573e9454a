import type { RawItem, Table } from "../client.ts";
import { entriesPartition, entryKey, type IndexedField, recordIdOfEntry } from "../keys/indexEntries.ts";
import type { Key } from "../keys/key.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { parsePosition, positionToNumber } from "../keys/positions.ts";

/** Returns the indexed fields of a stored record. */
export type IndexedFieldExtractor = (record: Record<string, unknown>) => IndexedField[];

export type OrderName = keyof OrderedList["orders"];

/** A record's position in each order of its list, as the numbers that an entry stores. */
export type RecordPositions = Partial<Record<OrderName, number>>;

/**
 * Plans the entries that a change of a record puts (also those with a new position only) and deletes.
 *
 * @param before undefined for a new record
 */
export function planEntryMoves(
  list: OrderedList,
  id: string,
  before: readonly IndexedField[] | undefined,
  after: readonly IndexedField[],
): { key: Key; move: "put" | "take" }[] {
  const keys = (terms: readonly IndexedField[]) =>
    new Map(terms.map((term) => entryKey(list, term, id)).map((key) => [key.pk, key]));
  const old = keys(before ?? []);
  const fresh = keys(after);
  return [
    ...[...fresh.values()].map((key) => ({ key, move: "put" as const })),
    ...[...old.values()].filter((key) => !fresh.has(key.pk)).map((key) => ({ key, move: "take" as const })),
  ];
}

/**
 * The days of a record's positions as indexed fields, in a list with two orders. They serve queries with windows of
 * both.
 */
export function extractIndexedDays({
  rank,
  saleRank,
}: {
  rank: string;
  saleRank?: string | undefined;
}): IndexedField[] {
  if (saleRank === undefined) return [];
  return [toIndexedDay("rank", parsePosition(rank).day), toIndexedDay("saleRank", parsePosition(saleRank).day)];
}

/** The indexed field of the records on one day of an order. */
export function toIndexedDay(order: OrderName, day: string): IndexedField {
  return { field: order, value: day };
}

/**
 * The non-key attributes of an entry: the record's positions. Matches are sorted and cut by them without a read of the
 * records.
 */
export function toEntryAttributes(ranks: {
  rank: string;
  saleRank?: string | undefined;
}): Record<string, number | undefined> {
  return {
    at: positionToNumber(ranks.rank),
    sale: ranks.saleRank === undefined ? undefined : positionToNumber(ranks.saleRank),
  };
}

/** Reads the positions of all records that have a value, by record id. */
export function readEntries(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  options: { consistent?: boolean } = {},
): Promise<Map<string, RecordPositions>> {
  return readEntriesIn(table, entriesPartition(list, term), options);
}

/** Like `readEntries`, by the partition of the entries. */
export async function readEntriesIn(
  table: Table,
  pk: string,
  options: { consistent?: boolean } = {},
): Promise<Map<string, RecordPositions>> {
  const items = await table.queryRaw({ ...entriesQuery(pk), ConsistentRead: options.consistent ?? false });
  return new Map(items.map(parseEntry));
}

/**
 * About the number of entries in a DynamoDB response of 1 MB. Without a limit, the local engine reads the rest of the
 * partition for each response.
 */
const maxEntriesInPart = 10_000;

/** Reads entries consistently in parts, for values with too many entries to keep in memory. */
export async function* streamEntries(
  table: Table,
  list: OrderedList,
  term: IndexedField,
): AsyncGenerator<(readonly [id: string, places: RecordPositions])[]> {
  const query = entriesQuery(entriesPartition(list, term));
  for await (const items of table.queryParts({ ...query, ConsistentRead: true, Limit: maxEntriesInPart })) {
    yield items.map(parseEntry);
  }
}

const entriesQuery = (pk: string) => ({
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": { S: pk } },
  ProjectionExpression: "sk, #at, sale",
  ExpressionAttributeNames: { "#at": "at" },
});

/** The id of an entry's record, and the record's positions. */
export const parseEntry = ({ sk, at, sale }: RawItem): [id: string, places: RecordPositions] => [
  recordIdOfEntry(sk?.S ?? ""),
  { rank: Number(at?.N), ...(sale && { saleRank: Number(sale.N) }) },
];
