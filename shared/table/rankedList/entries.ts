import type { Table } from "../client.ts";
import {
  entriesPartition,
  entryKey,
  type Key,
  lastSlot,
  type RankedList,
  rankNumber,
  rankOf,
  recordIdOfEntry,
  recordKey,
  type Term,
} from "../keys.ts";
import type { DayWindow } from "./pagePlan.ts";
import type { Page } from "./readPage.ts";

/** The values by which a record (as stored) can be found. */
export type TermsOf = (record: Record<string, unknown>) => Term[];

type OrderName = keyof RankedList["orders"];

/** Which matches are wanted, in which order: windows of days by the order they are days of. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order?: OrderName;
  windows?: Partial<Record<OrderName, DayWindow>>;
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
 * Reads the page of the records that have all the given values, in the list's order.
 *
 * The entries of every term are read whole (about 65 bytes a match), records only those of the page. What an entry
 * leads to is held against the record: one that changed in between is left out.
 *
 * @param terms at least one
 */
export async function readMatches(
  table: Table,
  list: RankedList,
  terms: readonly Term[],
  query: MatchQuery,
  termsOf: TermsOf,
): Promise<Page> {
  const { offset, limit, order = "rank", windows = {} } = query;
  const [first = new Map<string, Places>(), ...others] = await Promise.all(
    terms.map((term) => readEntries(table, list, term)),
  );
  const matches = [...first]
    .filter(([id, places]) => others.every((other) => other.has(id)) && isWithin(places, windows))
    .sort(([, a], [, b]) => (b[order] ?? 0) - (a[order] ?? 0));
  const ids = matches.slice(offset, offset + limit).map(([id]) => id);
  const items = await table.batchGet(
    ids.map((id) => recordKey(list, id)),
    { attributes: ["body", "rank", "saleRank"] },
  );
  const bodies = new Map<string, string>();
  for (const { sk, body, rank, saleRank } of items.values()) {
    const places = {
      rank: rankNumber(rank as string),
      saleRank: saleRank ? rankNumber(saleRank as string) : undefined,
    };
    if (isWithin(places as Places, windows) && hasAll(termsOf(JSON.parse(body as string)), terms)) {
      bodies.set(sk, body as string);
    }
  }
  return { total: matches.length, records: ids.flatMap((id) => bodies.get(id) ?? []) };
}

/** The places of all records that have a value, by record id. */
export async function readEntries(
  table: Table,
  list: RankedList,
  term: Term,
  options: { consistent?: boolean } = {},
): Promise<Map<string, Places>> {
  const items = await table.queryRaw({
    ConsistentRead: options.consistent ?? false,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: entriesPartition(list, term) } },
    ProjectionExpression: "sk, #at, sale",
    ExpressionAttributeNames: { "#at": "at" },
  });
  return new Map(
    items.map((item) => [
      recordIdOfEntry(item.sk?.S ?? ""),
      { rank: Number(item.at?.N), ...(item.sale && { saleRank: Number(item.sale.N) }) },
    ]),
  );
}

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
