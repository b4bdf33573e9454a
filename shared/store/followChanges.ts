import { invalid } from "../api/errors.ts";
import { noChangesCursor } from "../api/parameters.ts";
import type { Table } from "./client.ts";
import type { OrderedList } from "./keys/orderedLists.ts";
import { decodeListCursor, encodeListCursor } from "./orderedList/listCursor.ts";
import { type Changes, readChanges } from "./orderedList/readChanges.ts";

/** Maximum time for which a response waits until the index shows the next record, and the time between two reads. */
const maxWaitMs = 2_000;
const pauseMs = 200;

export interface FollowedChanges extends Changes {
  /** Returns the cursor that continues after the given number of returned records. */
  createCursorAfter(records: number): string;
}

/**
 * Reads the changes of a list after a cursor.
 *
 * @param targetBytes the read stops after about this number of bytes
 * @throws ServiceError "invalid" on `query.cursor` if it is not of this list; "unavailable" as `readChanges`
 */
export async function followChanges(
  table: Table,
  list: OrderedList,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  targetBytes?: number,
): Promise<FollowedChanges> {
  const from = cursor === undefined ? null : decodeListCursor(table, list, cursor);
  if (from === undefined) throw invalid({ "query.cursor": { message: noChangesCursor } });
  const read = () => readChanges(table, list, { after: from ?? undefined, limit, ...(targetBytes && { targetBytes }) });
  const until = table.clock.now().getTime() + maxWaitMs;
  let changes = await read();
  while (changes.hasMore && changes.places.length === 0 && table.clock.now().getTime() < until) {
    await table.clock.sleep(pauseMs);
    changes = await read();
  }
  const { places, isReset, generation } = changes;
  const begin = isReset ? undefined : from?.rank;
  return {
    ...changes,
    createCursorAfter: (records) => encodeListCursor(table, list, places[records - 1]?.rank ?? begin, generation),
  };
}
