import { itemId, type Table } from "../client.ts";
import { eventKey } from "../keys/events.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import type { ShardState } from "./sequenceEvents.ts";

/**
 * Finds the place of a shard's first event that is still retained at `instant`, or the place after the head, by a binary
 * search: expiry times increase with places, whether or not DynamoDB has already deleted the expired events.
 */
export async function findFirstRetainedEvent(
  table: Table,
  pk: string,
  { seq, keptUntil }: Pick<ShardState, "seq" | "keptUntil">,
  instant: Date,
): Promise<number> {
  if (seq === 0 || !isRetained(keptUntil, instant)) return seq + 1;
  let [from, to] = [1, seq];
  // Usually all events are retained, so the first one is checked first.
  for (let middle = from; from < to; middle = Math.floor((from + to) / 2)) {
    const key = eventKey(pk, middle);
    // A transactional read: an event whose transaction is being committed must not count as expired.
    const found = await retryOnConflict(table.clock, () => table.transactGet([key]));
    const expires = found.get(itemId(key))?.expires as number | undefined;
    if (expires !== undefined && isRetained(expires, instant)) to = middle;
    else from = middle + 1;
  }
  return to;
}

/** Whether an item with this expiry time (epoch seconds) is retained at `now`. */
export const isRetained = (expires: number, now: Date): boolean => expires * 1_000 > now.getTime();
