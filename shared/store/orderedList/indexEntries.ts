import type { RawItem, Table } from "../client.ts";
import { entriesPartition, entryKey, type IndexedField, recordIdOfEntry } from "../keys/indexEntries.ts";
import type { Key } from "../keys/key.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { parsePosition, positionToNumber } from "../keys/positions.ts";

/** The values by which a record (as stored) can be found. */
export type IndexedFieldExtractor = (record: Record<string, unknown>) => IndexedField[];

export type OrderName = keyof OrderedList["orders"];

/** Where a record stands in each order of its list, as the numbers that an entry keeps. */
export type RecordPositions = Partial<Record<OrderName, number>>;

/**
 * The entries that a change of a record puts in place, where its rank has moved, and takes away.
 *
 * @param before undefined when the record is new
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
 * The values by which a record is found that stands in a list of two orders: the days of its places. They answer windows of
 * both at once.
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

/** The value of the records that stand on a day of an order. */
export function toIndexedDay(order: OrderName, day: string): IndexedField {
  return { field: order, value: day };
}

/** What an entry holds beside its key: the record's places, so that matches are sorted and cut without reading them. */
export function toEntryAttributes(ranks: {
  rank: string;
  saleRank?: string | undefined;
}): Record<string, number | undefined> {
  return {
    at: positionToNumber(ranks.rank),
    sale: ranks.saleRank === undefined ? undefined : positionToNumber(ranks.saleRank),
  };
}

/** The places of all records that have a value, by record id. */
export function readEntries(
  table: Table,
  list: OrderedList,
  term: IndexedField,
  options: { consistent?: boolean } = {},
): Promise<Map<string, RecordPositions>> {
  return readEntriesIn(table, entriesPartition(list, term), options);
}

/** The same, by the partition of the entries. */
export async function readEntriesIn(
  table: Table,
  pk: string,
  options: { consistent?: boolean } = {},
): Promise<Map<string, RecordPositions>> {
  const items = await table.queryRaw({ ...entriesQuery(pk), ConsistentRead: options.consistent ?? false });
  return new Map(items.map(parseEntry));
}

/**
 * About as many as DynamoDB's answer of 1 MB holds: without a limit the engine on one machine reads all that is left of a
 * partition for each answer.
 */
const maxEntriesInPart = 10_000;

/** The same, part by part, as they are now, for what is too much to be held at once. */
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

/** The record that an entry leads to, and its places. */
export const parseEntry = ({ sk, at, sale }: RawItem): [id: string, places: RecordPositions] => [
  recordIdOfEntry(sk?.S ?? ""),
  { rank: Number(at?.N), ...(sale && { saleRank: Number(sale.N) }) },
];
