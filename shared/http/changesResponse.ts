import { damagedText } from "../store/damagedRecords.ts";
import type { FollowedChanges } from "../store/followChanges.ts";
import { countFitting, type HandlerResult } from "./handlerResult.ts";

/**
 * The response of docs/spec.md#change-feed, with as many changed records as fit into a response, but at least one. Damaged records
 * are left out: their repair is another change.
 */
export function changes({ places, hasMore, isReset, createCursorAfter: cursorBehind }: FollowedChanges): HandlerResult {
  const records = places.map(({ value }) => value);
  const end = (count: number) => {
    const state = { cursor: cursorBehind(count), has_more: hasMore || count < records.length };
    return JSON.stringify({ ...state, ...(isReset && { reset: true }) }).slice(1);
  };
  const count = countFitting(`{"data":[],${end(records.length)}`, records);
  const readable = records.slice(0, count).filter((text) => text !== damagedText);
  const text = `{"data":[${readable.join(",")}],${end(count)}`;
  // The page is empty although the list has more changes: the most recent changes cannot be read yet. `Retry-After`
  // makes the client wait.
  const isLate = hasMore && records.length === 0;
  return { body: () => ({ text, records: readable.length }), ...(isLate && { headers: { "Retry-After": "1" } }) };
}
