import type { RawItem, Table } from "../client.ts";
import { customerRankOf, type RankedList, rankOfNumber, recordKey } from "../keys.ts";
import type { Places } from "./entries.ts";

/** Records that one query covers, see `readPage`. */
const placesPerQuery = 250;
const attributes = ["body", "rank", "saleRank"];

/**
 * Ranges of ranks that hold little else of a customer's records than those wanted: all of a page in the list's order,
 * mostly also in another.
 *
 * @param all places of all the customer's records
 */
export function denseParts(wanted: readonly Places[], all: readonly Places[]): { first: number; last: number }[] {
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
export async function readPlaced(
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
