import type { RawItem, Table } from "../client.ts";
import { entriesPartition, entryKey, type IndexedField, recordIdOfEntry } from "../keys/indexEntries.ts";
import type { Key } from "../keys/key.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { parsePosition, positionToNumber } from "../keys/positions.ts";

/** Returns the indexed fields of a stored record. */
export type IndexedFieldExtractor = (record: Record<string, unknown>) => IndexedField[];

export type OrderName = keyof OrderedList["orders"];

/** A record's position in each order of its list, as numbers, which is how an index entry stores them. */
export type RecordPositions = Partial<Record<OrderName, number>>;

/**
 * Plans the entries that a change of a record puts and deletes. If entries hold positions, puts all entries of the
 * changed record, because its position changes even if its values do not.
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
    new Map(terms.map((term) => entryKey(list, term, id)).map((key) => [key.pk, key]));
  const old = keys(before ?? []);
  const fresh = keys(after);
  return [
    ...[...fresh.values()]
      .filter((key) => !list.hasPlainEntries || !old.has(key.pk))
      .map((key) => ({ key, move: "put" as const })),
    ...[...old.values()].filter((key) => !fresh.has(key.pk)).map((key) => ({ key, move: "take" as const })),
  ];
}

/**
 * Returns the days of a record's positions as indexed fields; none in a list with a single order. Queries with windows
 * of both orders use these fields.
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

/** The indexed field that all records of one day of an order have. */
export function toIndexedDay(order: OrderName, day: string): IndexedField {
  return { field: order, value: day };
}

/**
 * The non-key attributes of an entry: the record's positions; none in a list with plain entries. With positions,
 * matches are sorted and divided into pages without a read of the records.
 */
export function toEntryAttributes(
  list: OrderedList,
  ranks: { rank: string; saleRank?: string | undefined },
): { at?: number; sale?: number | undefined } {
  if (list.hasPlainEntries) return {};
  return {
    at: positionToNumber(ranks.rank),
    sale: ranks.saleRank === undefined ? undefined : positionToNumber(ranks.saleRank),
  };
}

/** Whether a record with the fields `present` has all the given values. */
export function hasAll(present: readonly IndexedField[], wanted: readonly IndexedField[]): boolean {
  return wanted.every((term) => present.some(({ field, value }) => field === term.field && value === term.value));
}

/** Reads the positions of all records that have a value. Returns them by record id. */
export function readEntries(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  options: { consistent?: boolean } = {},
): Promise<Map<string, RecordPositions>> {
  return readEntriesIn(table, entriesPartition(list, term), options);
}

/** Reads the ids of all records that have a value, in no certain order. */
export async function readEntryIds(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  options: { consistent: boolean },
): Promise<string[]> {
  const items = await table.queryRaw({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: entriesPartition(list, term) } },
    ProjectionExpression: "sk",
    ConsistentRead: options.consistent,
  });
  return items.map(({ sk }) => recordIdOfEntry(sk?.S ?? ""));
}

/** Like `readEntries`, but takes the partition of the entries. */
export async function readEntriesIn(
  table: Table,
  pk: string,
  options: { consistent?: boolean } = {},
): Promise<Map<string, RecordPositions>> {
  const items = await table.queryRaw({ ...entriesQuery(pk), ConsistentRead: options.consistent ?? false });
  return new Map(items.map(parseEntry));
}

/**
 * About the number of entries in a DynamoDB response of 1 MB. The limit helps the local engine only: without it, the
 * engine reads the whole rest of the partition for each response.
 */
const maxEntriesInPart = 10_000;

/** Reads the entries of a value consistently and in parts, for values whose entries do not fit into memory. */
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
