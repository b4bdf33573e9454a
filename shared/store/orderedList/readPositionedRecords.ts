import type { RawItem, Table } from "../client.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { formatCustomerPosition } from "../keys/positions.ts";
import type { RecordPlace } from "./indexEntries.ts";

/** Maximum number of a page's records in a range: a query returns at most 1 MB. */
const maxInRange = 250;
/** Fewer records of a page are read by id, because a query takes time, too. */
const minInRange = 4;
/** Maximum number of others between two records of a range: a record by id takes half a read unit, in a range a twelfth. */
const maxOthers = 4;
const attributes = ["body", "rank", "saleRank"];

/** The positions that one query reads, both inclusive. */
export interface Range {
  first: string;
  last: string;
}

/**
 * The ranges in which the wanted records are close to each other among all records of the customer: all of a page by
 * update, and of one by sale day those that were not corrected later.
 */
export function denseRanges(wanted: readonly RecordPlace[], all: Iterable<RecordPlace>): Range[] {
  const isWanted = new Set(wanted.map(({ rank }) => rank));
  const clusters: string[][] = [];
  let others = 0;
  for (const rank of Array.from(all, (place) => place.rank).sort()) {
    const last = clusters.at(-1);
    if (!isWanted.has(rank)) others++;
    else if (last && last.length < maxInRange && others <= maxOthers) last.push(rank);
    else clusters.push([rank]);
    if (isWanted.has(rank)) others = 0;
  }
  return clusters.flatMap((ranks) => {
    const [first, last] = [ranks[0], ranks.at(-1)];
    return first && last && ranks.length >= minInRange ? [{ first, last }] : [];
  });
}

/**
 * Reads records with known positions. Those within the ranges are read from the index by customer; others, and those
 * that it does not show there, by id. `consistent` is for reads by id.
 */
export async function readPositionedRecords(
  table: Table,
  list: OrderedList,
  page: ReadonlyMap<string, RecordPlace>,
  options: { customerId: string | undefined; ranges: readonly Range[]; consistent?: boolean },
): Promise<RawItem[]> {
  const { customerId = "", ranges, consistent = false } = options;
  const read = await Promise.all(
    ranges.map(({ first, last }) => {
      const [from, to] = [first, last].map((rank) => formatCustomerPosition(customerId, rank));
      return table.queryRaw(list.pk, { index: "byCustomerRank", from, to, attributes: ["sk", ...attributes] });
    }),
  );
  // A position identifies a version of a record.
  const found = read.flat().filter(({ sk, rank }) => page.get(sk?.S ?? "")?.rank === rank?.S);
  const seen = new Set(found.map((item) => item.sk?.S));
  const missing = [...page.keys()].filter((id) => !seen.has(id)).map((id) => recordKey(list, id));
  return [...found, ...(await table.batchGetRaw(missing, { consistent, attributes }))];
}
