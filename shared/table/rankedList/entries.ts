import type { RawItem, Table } from "../client.ts";
import {
  customerRankOf,
  entriesPartition,
  entryKey,
  type Key,
  lastSlot,
  type RankedList,
  rankNumber,
  rankOf,
  rankOfNumber,
  recordIdOfEntry,
  recordKey,
  type Term,
} from "../keys.ts";
import { loadDirectories } from "./directoryItems.ts";
import { stateOf } from "./listState.ts";
import type { DayWindow } from "./pagePlan.ts";
import type { OpenPage, Page } from "./readPage.ts";

/** The values by which a record (as stored) can be found. */
export type TermsOf = (record: Record<string, unknown>) => Term[];

type OrderName = keyof RankedList["orders"];

/** Which matches are wanted, in which order: windows of days by the order they are days of. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order?: OrderName;
  windows?: Partial<Record<OrderName, DayWindow>>;
  /**
   * The customer that most matches belong to, where the list is also kept by customer: their records then stand together
   * and are read as densely as those of a page. Matches of others are read one by one. Asked for with the entries.
   */
  customerId?: () => Promise<string | undefined>;
}

/** Where a record stands in each order of its list, as the numbers that an entry keeps. */
type Places = Partial<Record<OrderName, number>>;

/**
 * The entries that a change of a record makes, keeps (they move along when its rank does) and takes away.
 *
 * @param before undefined when the record is new
 */
export function entryMoves(
  list: RankedList,
  id: string,
  before: readonly Term[] | undefined,
  after: readonly Term[],
): { key: Key; move: "make" | "keep" | "take" }[] {
  const keys = (terms: readonly Term[]) =>
    new Map(terms.map((term) => entryKey(list, term, id)).map((key) => [key.pk, key]));
  const old = keys(before ?? []);
  const fresh = keys(after);
  return [
    ...[...fresh.values()].map((key) => ({ key, move: old.has(key.pk) ? ("keep" as const) : ("make" as const) })),
    ...[...old.values()].filter((key) => !fresh.has(key.pk)).map((key) => ({ key, move: "take" as const })),
  ];
}

/** What an entry holds beside its key: the record's places, so that matches are sorted and cut without reading them. */
export function entryPlaces(ranks: { rank: string; saleRank: string | undefined }): Record<string, number | undefined> {
  return { at: rankNumber(ranks.rank), sale: ranks.saleRank === undefined ? undefined : rankNumber(ranks.saleRank) };
}

/**
 * Begins to read the page of the records that have all the given values, in the list's order: reads the list's
 * directory, since whatever changes in the list may change what matches. Its `read` goes on.
 *
 * The entries of every term are read whole (about 65 bytes a match), records only those of the page. What an entry
 * leads to is held against the record: one that changed in between is left out.
 *
 * @param terms at least one
 */
export async function openMatches(
  table: Table,
  list: RankedList,
  terms: readonly Term[],
  query: MatchQuery,
  termsOf: TermsOf,
): Promise<OpenPage> {
  const order = list.orders.rank;
  const state = stateOf(order, await loadDirectories(table, order));
  return { state, read: () => readMatches(table, list, terms, query, termsOf) };
}

async function readMatches(...[table, list, terms, query, termsOf]: Parameters<typeof openMatches>): Promise<Page> {
  const { offset, limit, order = "rank", windows = {} } = query;
  const [customerId, first = new Map<string, Places>(), ...others] = await Promise.all([
    query.customerId?.(),
    ...terms.map((term) => readEntries(table, list, term)),
  ]);
  const matches = [...first]
    .filter(([id, places]) => others.every((other) => other.has(id)) && isWithin(places, windows))
    .sort(([, a], [, b]) => (b[order] ?? 0) - (a[order] ?? 0));
  const page = new Map(matches.slice(offset, offset + limit));
  const parts = customerId ? denseParts([...page.values()], [...first.values()]) : [];
  const items = await readPlaced(table, list, page, customerId, parts);
  const bodies = new Map<string | undefined, string>();
  for (const { sk, body, rank, saleRank } of items) {
    const places = { rank: rankNumber(rank?.S ?? ""), ...(saleRank?.S && { saleRank: rankNumber(saleRank.S) }) };
    const text = body?.S ?? "";
    if (isWithin(places, windows) && hasAll(termsOf(JSON.parse(text)), terms)) bodies.set(sk?.S, text);
  }
  return { total: matches.length, records: [...page.keys()].flatMap((id) => bodies.get(id) ?? []) };
}

/** Records that one query covers, see `readPage`. */
const placesPerQuery = 250;
const attributes = ["body", "rank", "saleRank"];

/**
 * Ranges of ranks that hold little else of a customer's records than those wanted: all of a page in the list's order,
 * mostly also in another.
 *
 * @param all places of all the customer's records
 */
function denseParts(wanted: readonly Places[], all: readonly Places[]): { first: number; last: number }[] {
  const ranks = wanted.map(({ rank = 0 }) => rank).sort((a, b) => a - b);
  const parts: { first: number; last: number }[] = [];
  for (let i = 0; i < ranks.length; i += placesPerQuery) {
    const part = ranks.slice(i, i + placesPerQuery);
    const [first = 0, last = 0] = [part[0], part.at(-1)];
    const between = all.filter(({ rank = 0 }) => rank >= first && rank <= last).length;
    if (between <= 2 * part.length) parts.push({ first, last });
  }
  return parts;
}

/**
 * Reads records of which the places are known: the given parts as ranges of the index by customer, all others (and those
 * that the index does not show yet) each by its id.
 */
async function readPlaced(
  table: Table,
  list: RankedList,
  page: ReadonlyMap<string, Places>,
  customerId: string | undefined,
  parts: readonly { first: number; last: number }[],
): Promise<RawItem[]> {
  const ranges = await Promise.all(parts.map((part) => readRange(table, list, customerId ?? "", part)));
  const found = ranges.flat().filter((item) => page.has(item.sk?.S ?? ""));
  const seen = new Set(found.map((item) => item.sk?.S));
  const missing = [...page.keys()].filter((id) => !seen.has(id)).map((id) => recordKey(list, id));
  return [...found, ...(await table.batchGetRaw(missing, { attributes }))];
}

/** Reads a customer's records from one rank to another. */
function readRange(
  table: Table,
  list: RankedList,
  customerId: string,
  { first, last }: { first: number; last: number },
): Promise<RawItem[]> {
  return table.queryRaw({
    IndexName: "byCustomerRank",
    KeyConditionExpression: "pk = :pk AND customerRank BETWEEN :first AND :last",
    ProjectionExpression: "sk, #rank, saleRank, body",
    ExpressionAttributeNames: { "#rank": "rank" },
    ExpressionAttributeValues: {
      ":pk": { S: list.pk },
      ":first": { S: customerRankOf(customerId, rankOfNumber(first)) },
      ":last": { S: customerRankOf(customerId, rankOfNumber(last)) },
    },
  });
}

/** The places of all records that have a value, by record id. */
export async function readEntries(
  table: Table,
  list: RankedList,
  term: Term,
  options: { consistent?: boolean } = {},
): Promise<Map<string, Places>> {
  const items = await table.queryRaw({ ...entriesQuery(list, term), ConsistentRead: options.consistent ?? false });
  return new Map(items.map(placesOf));
}

/** The same, part by part, as they are now, for what is too much to be held at once. */
export async function* readEntryParts(
  table: Table,
  list: RankedList,
  term: Term,
): AsyncGenerator<(readonly [id: string, places: Places])[]> {
  for await (const items of table.queryParts({ ...entriesQuery(list, term), ConsistentRead: true })) {
    yield items.map(placesOf);
  }
}

const entriesQuery = (list: RankedList, term: Term) => ({
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": { S: entriesPartition(list, term) } },
  ProjectionExpression: "sk, #at, sale",
  ExpressionAttributeNames: { "#at": "at" },
});

const placesOf = ({ sk, at, sale }: RawItem): [id: string, places: Places] => [
  recordIdOfEntry(sk?.S ?? ""),
  { rank: Number(at?.N), ...(sale && { saleRank: Number(sale.N) }) },
];

/** Whether places lie within all windows (days inclusive). */
function isWithin(places: Places, windows: Partial<Record<OrderName, DayWindow>>): boolean {
  return Object.entries(windows).every(([order, { from, to }]) => {
    const place = places[order as OrderName] ?? 0;
    return (!from || place >= rankNumber(rankOf(from, 0))) && (!to || place <= rankNumber(rankOf(to, lastSlot)));
  });
}

function hasAll(present: readonly Term[], wanted: readonly Term[]): boolean {
  return wanted.every((term) => present.some(({ field, value }) => field === term.field && value === term.value));
}
