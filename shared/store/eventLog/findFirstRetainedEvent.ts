import { itemId, type Table } from "../client.ts";
import { eventKey } from "../keys/events.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import type { ShardState } from "./sequenceEvents.ts";

/**
 * The place of the first event of a shard that is kept beyond an instant, behind the head where there is none: at the present
 * one, that of the oldest event that is kept. Places and times grow together, and what has expired may be there still or be
 * gone, so halving finds it, in as many small reads as the place has bits.
 */
export async function findFirstRetainedEvent(
  table: Table,
  pk: string,
  { seq, keptUntil }: Pick<ShardState, "seq" | "keptUntil">,
  instant: Date,
): Promise<number> {
  if (seq === 0 || !isRetained(keptUntil, instant)) return seq + 1;
  let [from, to] = [1, seq];
  // Mostly all of them are: the first is looked at first.
  for (let middle = from; from < to; middle = Math.floor((from + to) / 2)) {
    const key = eventKey(pk, middle);
    // By a transaction: one that is not to be seen because it is just being stored must not be held for expired.
    const found = await retryOnConflict(table.clock, () => table.transactGet([key]));
    const expires = found.get(itemId(key))?.expires as number | undefined;
    if (expires !== undefined && isRetained(expires, instant)) to = middle;
    else from = middle + 1;
  }
  return to;
}

/** Whether something that expires (epoch seconds) is kept at an instant. */
export const isRetained = (expires: number, now: Date): boolean => expires * 1_000 > now.getTime();
