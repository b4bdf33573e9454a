import type { RawItem, Table } from "../client.ts";
import { entriesPartition, entryKey, recordIdOfEntry, type Term } from "../keys/indexEntries.ts";
import type { Key } from "../keys/key.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { parseRank, rankNumber } from "../keys/positions.ts";

/** The values by which a record (as stored) can be found. */
export type TermsOf = (record: Record<string, unknown>) => Term[];

export type OrderName = keyof OrderedList["orders"];

/** Where a record stands in each order of its list, as the numbers that an entry keeps. */
export type Places = Partial<Record<OrderName, number>>;

/**
 * The entries that a change of a record puts in place, where its rank has moved, and takes away.
 *
 * @param before undefined when the record is new
 */
export function entryMoves(
  list: OrderedList,
  id: string,
  before: readonly Term[] | undefined,
  after: readonly Term[],
): { key: Key; move: "put" | "take" }[] {
  const keys = (terms: readonly Term[]) =>
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
export function dayTerms({ rank, saleRank }: { rank: string; saleRank?: string | undefined }): Term[] {
  if (saleRank === undefined) return [];
  return [dayTerm("rank", parseRank(rank).day), dayTerm("saleRank", parseRank(saleRank).day)];
}

/** The value of the records that stand on a day of an order. */
export function dayTerm(order: OrderName, day: string): Term {
  return { field: order, value: day };
}

/** What an entry holds beside its key: the record's places, so that matches are sorted and cut without reading them. */
export function entryPlaces(ranks: {
  rank: string;
  saleRank?: string | undefined;
}): Record<string, number | undefined> {
  return { at: rankNumber(ranks.rank), sale: ranks.saleRank === undefined ? undefined : rankNumber(ranks.saleRank) };
}

/** The places of all records that have a value, by record id. */
export function readEntries(
  table: Table,
  list: OrderedList,
  term: Term,
  options: { consistent?: boolean } = {},
): Promise<Map<string, Places>> {
  return readEntriesIn(table, entriesPartition(list, term), options);
}

/** The same, by the partition of the entries. */
export async function readEntriesIn(
  table: Table,
  pk: string,
  options: { consistent?: boolean } = {},
): Promise<Map<string, Places>> {
  const items = await table.queryRaw({ ...entriesQuery(pk), ConsistentRead: options.consistent ?? false });
  return new Map(items.map(placesOf));
}

/**
 * About as many as DynamoDB's answer of 1 MB holds: without a limit the engine on one machine reads all that is left of a
 * partition for each answer.
 */
const maxEntriesInPart = 10_000;

/** The same, part by part, as they are now, for what is too much to be held at once. */
export async function* readEntryParts(
  table: Table,
  list: OrderedList,
  term: Term,
): AsyncGenerator<(readonly [id: string, places: Places])[]> {
  const query = entriesQuery(entriesPartition(list, term));
  for await (const items of table.queryParts({ ...query, ConsistentRead: true, Limit: maxEntriesInPart })) {
    yield items.map(placesOf);
  }
}

const entriesQuery = (pk: string) => ({
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": { S: pk } },
  ProjectionExpression: "sk, #at, sale",
  ExpressionAttributeNames: { "#at": "at" },
});

/** The record that an entry leads to, and its places. */
export const placesOf = ({ sk, at, sale }: RawItem): [id: string, places: Places] => [
  recordIdOfEntry(sk?.S ?? ""),
  { rank: Number(at?.N), ...(sale && { saleRank: Number(sale.N) }) },
];
