import type { RawItem, Table } from "../client.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { formatCustomerPosition, numberToPosition, positionToNumber } from "../keys/positions.ts";
import type { RecordPlace } from "./indexEntries.ts";

/** Maximum number of a page's records that a range has, see `recordsPerQuery`. */
const maxInRange = 250;
/** Fewer records of a page are read by id, because a query takes time, too. */
const minInRange = 4;
/**
 * Maximum number of other records between two records of a range. A record by id takes half a read unit, and as a part of a
 * range about a twelfth.
 */
const maxOthers = 4;
const attributes = ["body", "rank", "saleRank"];

/** The positions that one query reads, as numbers, both inclusive. */
export interface Range {
  first: number;
  last: number;
}

/**
 * Returns the ranges in which the wanted records are close to each other. They cover all records of a page in the list's order, and
 * those of a page by sale day that were not corrected later.
 *
 * @param all the places of all records of the customer
 */
export function denseRanges(wanted: readonly RecordPlace[], all: Iterable<RecordPlace>): Range[] {
  const isWanted = new Set(wanted.map(({ rank }) => rank));
  const clusters: number[][] = [];
  let others = 0;
  for (const rank of Array.from(all, (place) => place.rank).sort((a, b) => a - b)) {
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
 * Reads records with known positions. Reads the records within the given ranges from the index by customer, and all
 * other records by id. Records that the index does not show at their position are also read by id.
 */
export async function readPositionedRecords(
  table: Table,
  list: OrderedList,
  page: ReadonlyMap<string, RecordPlace>,
  customerId: string | undefined,
  ranges: readonly Range[],
): Promise<RawItem[]> {
  const read = await Promise.all(ranges.map((range) => readRange(table, list, customerId ?? "", range)));
  // A position identifies a version of a record. If the index shows the record at another position, it shows another
  // version.
  const found = read.flat().filter(({ sk, rank }) => page.get(sk?.S ?? "")?.rank === positionToNumber(rank?.S ?? ""));
  const seen = new Set(found.map((item) => item.sk?.S));
  const missing = [...page.keys()].filter((id) => !seen.has(id)).map((id) => recordKey(list, id));
  return [...found, ...(await table.batchGetRaw(missing, { attributes }))];
}

function readRange(table: Table, list: OrderedList, customerId: string, { first, last }: Range): Promise<RawItem[]> {
  const [from, to] = [first, last].map((number) => formatCustomerPosition(customerId, numberToPosition(number)));
  return table.queryRaw(list.pk, { index: "byCustomerRank", from, to, attributes: ["sk", ...attributes] });
}
