import type { RawItem, Table } from "../client.ts";
import type { ListOrder, OrderedList } from "../keys/orderedLists.ts";
import { formatPosition } from "../keys/positions.ts";
import { tableIndexes } from "../schema.ts";
import { type PagePart, resolvePartSlots } from "./planPage.ts";

/** Records per query. A query returns at most 1 MB, so large pages are read by parallel queries. */
export const recordsPerQuery = 250;

export interface Reading {
  table: Table;
  list: OrderedList;
  order: ListOrder;
  /** The attributes to return of each item. */
  attributes: readonly string[];
  /** Maximum items per query; more than the default for items that are smaller than records. */
  perQuery?: number;
  /** The read stops after about this number of bytes and leaves out the newest records. */
  targetBytes?: number;
}

/** The item at a position. */
interface AtRank {
  rank: string;
  item: RawItem;
}

/**
 * Reads the items of some parts of a page from the table's index, newest first. A lagging index may lack some.
 *
 * @param parts newest first
 * @param exact the sequence numbers to read, by day; only for days that have empty sequence numbers
 */
export async function readSlots(
  reading: Reading,
  parts: readonly PagePart[],
  exact: ReadonlyMap<string, readonly number[]>,
): Promise<AtRank[]> {
  const { perQuery = recordsPerQuery, targetBytes: enoughBytes = Number.POSITIVE_INFINITY } = reading;
  const ranks = parts.flatMap((part) =>
    resolvePartSlots(part, exact.get(part.day)).map((slot) => formatPosition(part.day, slot)),
  );
  const groups = groupsOf(ranks, perQuery);
  const bytes = groups.map(() => 0);
  // A group stops once it and the older groups have read enough: without the older groups it is of no use.
  const isEnough = (group: number, more: number) => {
    bytes[group] = (bytes[group] ?? 0) + more;
    return bytes.slice(group).reduce((sum, some) => sum + some, 0) > enoughBytes;
  };
  const found = groups.map((ranks, group) => itemsAt(reading, ranks, (more) => isEnough(group, more)));
  return (await Promise.all(found)).flat();
}

/** Splits positions into queries of about equal size, because all of them must finish. */
function groupsOf(ranks: readonly string[], perQuery: number): (readonly string[])[] {
  const groups = Math.ceil(ranks.length / perQuery);
  const most = Math.ceil(ranks.length / groups);
  return Array.from({ length: groups }, (_, i) => ranks.slice(i * most, (i + 1) * most));
}

/** Reads the items at some positions, newest first, until `isEnough`. */
async function itemsAt(
  { table, list, order, attributes }: Reading,
  ranks: readonly string[],
  isEnough: (more: number) => boolean,
): Promise<AtRank[]> {
  const rankAttribute = tableIndexes[order.index];
  const names = [...new Set([rankAttribute, ...attributes])];
  const items = table.queryParts({
    IndexName: order.index,
    KeyConditionExpression: "pk = :pk AND #0 BETWEEN :from AND :to",
    ProjectionExpression: names.map((_, i) => `#${i}`).join(),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
    ExpressionAttributeValues: {
      ":pk": { S: list.pk },
      ":from": { S: ranks.at(-1) ?? "" },
      ":to": { S: ranks[0] ?? "" },
    },
  });
  const wanted = new Set(ranks);
  const found: AtRank[] = [];
  for await (const part of items) {
    const atRanks = part.flatMap((item) => {
      const rank = item[rankAttribute]?.S ?? "";
      return wanted.has(rank) ? [{ rank, item }] : [];
    });
    found.push(...atRanks);
    if (isEnough(atRanks.reduce((sum, { item }) => sum + bytesOf(item, attributes), 0))) break;
  }
  return found.reverse();
}

const bytesOf = (item: RawItem, attributes: readonly string[]): number =>
  attributes.reduce((sum, name) => sum + (item[name]?.S?.length ?? 0), 0);
