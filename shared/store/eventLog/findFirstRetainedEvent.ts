import { itemId, type Table } from "../client.ts";
import { eventKey } from "../keys/events.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import type { ShardState } from "./sequenceEvents.ts";

/**
 * Finds the place of a shard's first event that is retained beyond `instant`; the place after the head if there is
 * none. With the current time, it is the oldest retained event.
 *
 * Expiry times increase with places, and expired events may or may not be deleted yet. So a binary search finds it; the
 * number of small reads grows with the logarithm of the head.
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
    // Read by a transaction: an event whose transaction is being committed must not count as expired.
    const found = await retryOnConflict(table.clock, () => table.transactGet([key]));
    const expires = found.get(itemId(key))?.expires as number | undefined;
    if (expires !== undefined && isRetained(expires, instant)) to = middle;
    else from = middle + 1;
  }
  return to;
}

/** Whether an item with this expiry time (epoch seconds) is retained at `now`. */
export const isRetained = (expires: number, now: Date): boolean => expires * 1_000 > now.getTime();
