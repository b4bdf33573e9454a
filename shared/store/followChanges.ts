import { invalid } from "../api/errors.ts";
import type { Table } from "./client.ts";
import type { OrderedList } from "./keys/orderedLists.ts";
import { decodeListCursor, encodeListCursor } from "./orderedList/listCursor.ts";
import { type Changes, readChanges } from "./orderedList/readChanges.ts";

/** How long (milliseconds) an answer waits for an index that does not show the next record yet, and how often it looks. */
const maxWaitMs = 2_000;
const pause = 200;

/** What is asked for of a list's changes (docs/spec.md#change-feed). */
export interface ChangesQuery {
  /** of an earlier answer; from the beginning where it is undefined */
  cursor?: string | undefined;
  limit: number;
}

/** Changes of a list, with the cursors of their places. */
export interface FollowedChanges extends Omit<Changes, "generation"> {
  /** The cursor behind so many of the records. */
  createCursorAfter(records: number): string;
}

/**
 * Reads what has changed in a list since a cursor.
 *
 * @param targetBytes of records; there may be more
 * @throws ServiceError "invalid" on `query.cursor` for one of another list, or of none; "unavailable" as `readChanges`
 */
export async function followChanges(
  table: Table,
  list: OrderedList,
  { cursor, limit }: ChangesQuery,
  targetBytes?: number,
): Promise<FollowedChanges> {
  const from = cursor === undefined ? null : decodeListCursor(table, list, cursor);
  if (from === undefined) throw invalid({ "query.cursor": { message: "must be a cursor of these changes" } });
  const read = () =>
    readChanges(table, list, { after: from ?? undefined, limit, ...(targetBytes && { targetBytes: targetBytes }) });
  const until = table.clock.now().getTime() + maxWaitMs;
  let changes = await read();
  while (changes.hasMore && changes.places.length === 0 && table.clock.now().getTime() < until) {
    await table.clock.sleep(pause);
    changes = await read();
  }
  const { places, isReset, generation } = changes;
  const begin = isReset ? undefined : from?.rank;
  return {
    ...changes,
    createCursorAfter: (records) => encodeListCursor(table, list, places[records - 1]?.rank ?? begin, generation),
  };
}
