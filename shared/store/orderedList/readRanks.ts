import type { RawItem, Table } from "../client.ts";
import type { ListOrder, OrderedList } from "../keys/orderedLists.ts";
import { tableIndexes } from "../schema.ts";

/** Maximum number of records per query. A query returns at most 1 MB, so large pages are read by parallel queries. */
const recordsPerQuery = 250;

export interface Reading {
  table: Table;
  list: OrderedList;
  order: ListOrder;
  attributes: readonly string[];
  /** Maximum number of items per query. Reads of small items can use a value above the default, which suits records. */
  perQuery?: number;
  /** The read stops after about this number of bytes. It then omits the newest records. */
  targetBytes?: number;
}

export interface AtRank {
  rank: string;
  item: RawItem;
}

/** Reads the items at some positions, newest first, from the table's index, without those that it does not show yet. */
export async function readRanks(reading: Reading, ranks: readonly string[]): Promise<AtRank[]> {
  const { perQuery = recordsPerQuery, targetBytes: enoughBytes = Number.POSITIVE_INFINITY } = reading;
  // Groups of about equal size, because the read takes as long as its slowest query.
  const length = Math.ceil(ranks.length / perQuery);
  const size = Math.ceil(ranks.length / length);
  const groups = Array.from({ length }, (_, i) => ranks.slice(i * size, (i + 1) * size));
  const bytes = groups.map(() => 0);
  // Stops once it and all older groups have read enough, because the newest records are omitted first.
  const isEnough = (group: number, more: number) => {
    bytes[group] = (bytes[group] ?? 0) + more;
    return bytes.slice(group).reduce((sum, some) => sum + some, 0) > enoughBytes;
  };
  const found = groups.map((ranks, group) => itemsAt(reading, ranks, (more) => isEnough(group, more)));
  return (await Promise.all(found)).flat();
}

/** Reads the items at some positions, newest first, until `isEnough` returns true. */
async function itemsAt(
  { table, list, order, attributes }: Reading,
  ranks: readonly string[],
  isEnough: (more: number) => boolean,
): Promise<AtRank[]> {
  const rankAttribute = tableIndexes[order.index];
  // The key of a damaged record is reported.
  const names = [...new Set([rankAttribute, "sk", ...attributes])];
  const bounds = { from: ranks.at(-1), to: ranks[0] };
  const items = table.queryParts(list.pk, { index: order.index, ...bounds, attributes: names });
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
