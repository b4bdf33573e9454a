import type { FollowedChanges } from "../store/followChanges.ts";
import { countFitting, type HandlerResult } from "./handlerResult.ts";

/** The page of docs/spec.md#change-feed around changed records: as many of them as fit an answer, one at least. */
export function changes({ places, hasMore, isReset, createCursorAfter: cursorBehind }: FollowedChanges): HandlerResult {
  const records = places.map(({ value }) => value);
  const end = (count: number) => {
    const told = { cursor: cursorBehind(count), has_more: hasMore || count < records.length };
    return JSON.stringify({ ...told, ...(isReset && { reset: true }) }).slice(1);
  };
  const count = countFitting(`{"data":[],${end(records.length)}`, records);
  const text = `{"data":[${records.slice(0, count).join(",")}],${end(count)}`;
  // The answer has waited for what is stored to show.
  const isLate = hasMore && records.length === 0;
  return { body: () => ({ text, records: count }), ...(isLate && { headers: { "Retry-After": "1" } }) };
}
