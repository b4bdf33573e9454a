import type { RawItem, Table } from "../client.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { formatCustomerPosition, numberToPosition, positionToNumber } from "../keys/positions.ts";
import type { RecordPlace } from "./indexEntries.ts";

/** Records per query, see `recordsPerQuery`. */
const placesPerQuery = 250;
const attributes = ["body", "rank", "saleRank"];

/** The positions that one query reads, as numbers, both inclusive. */
export interface Range {
  first: number;
  last: number;
}

/**
 * Returns ranges of positions that contain the wanted records and few other records of the customer. The ranges cover
 * all records of a page in the list's order, and most records of a page by sale day if few sales were corrected later.
 *
 * @param countBetween returns the number of the customer's records from one position to another
 */
export function denseRanges(
  wanted: readonly RecordPlace[],
  countBetween: (first: number, last: number) => number,
): Range[] {
  const sorted = wanted.map(({ rank }) => rank).sort((a, b) => a - b);
  const ranges: Range[] = [];
  for (let i = 0; i < sorted.length; i += placesPerQuery) {
    const part = sorted.slice(i, i + placesPerQuery);
    const [first, last] = [part[0], part.at(-1)];
    if (!first || !last || countBetween(first, last) > 2 * part.length) continue;
    ranges.push({ first, last });
  }
  return ranges;
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
  return table.queryRaw({
    IndexName: "byCustomerRank",
    KeyConditionExpression: "pk = :pk AND customerRank BETWEEN :from AND :to",
    ProjectionExpression: "sk, #rank, saleRank, body",
    ExpressionAttributeNames: { "#rank": "rank" },
    ExpressionAttributeValues: {
      ":pk": { S: list.pk },
      ":from": { S: formatCustomerPosition(customerId, numberToPosition(first)) },
      ":to": { S: formatCustomerPosition(customerId, numberToPosition(last)) },
    },
  });
}
