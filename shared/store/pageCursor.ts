import { invalid } from "../api/errors.ts";
import { noPageCursor } from "../api/parameters.ts";
import type { Item, Table } from "./client.ts";
import { decodeCursor, digest, encodeCursor } from "./encodeCursor.ts";

const listBytes = 8;

/** A page of a list that a cursor continues. */
export interface CursorPage<Record> {
  records: readonly Record[];
  cursor: string;
  hasMore: boolean;
}

/**
 * Makes a page of records that were read newest first. Its cursor names the last one, and stays valid if that is deleted,
 * and in a restored table.
 *
 * @param list identifies the list, such as its partition
 * @param read the records after the cursor of the request, one more than the page holds if there are more
 * @param placeOf the place of a record in the list
 */
export function cursorPage<Record>(
  list: string,
  read: readonly Record[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  placeOf: (record: Record) => string,
): CursorPage<Record> {
  const records = read.slice(0, limit);
  const last = records.at(-1);
  const end = last === undefined ? cursor : encodePlace(list, placeOf(last));
  return { records, cursor: end ?? encodePlace(list, ""), hasMore: read.length > limit };
}

const encodePlace = (list: string, place: string) => encodeCursor(digest(list, listBytes), Buffer.from(place));

/** The place after which a page begins, if any. @throws ServiceError "invalid" if the cursor is not of this list */
export function placeOfCursor(list: string, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const bytes = decodeCursor(cursor);
  if (!bytes?.subarray(0, listBytes).equals(digest(list, listBytes))) {
    throw invalid({ "query.cursor": { message: noPageCursor } });
  }
  return bytes.subarray(listBytes).toString() || undefined;
}

/**
 * Reads all items of a partition of bounded length after a cursor, by rank, newest first, eventually consistently.
 *
 * @throws ServiceError "invalid" on `query.cursor` if the cursor is not of this list
 */
export const readRanked = async (table: Table, list: string, cursor: string | undefined): Promise<Item[]> =>
  table.queryPartition(list, { index: "byRank", before: placeOfCursor(list, cursor), newestFirst: true });
