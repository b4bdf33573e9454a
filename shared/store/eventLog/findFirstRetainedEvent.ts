import type { Table } from "../client.ts";
import { eventKey, placeOfEvent } from "../keys/events.ts";
import { retryOnConflict, StaleReadError } from "../retryOnConflict.ts";
import type { ShardState } from "./sequenceEvents.ts";

/** An event by its place in a shard. It expires at `expires`, in epoch seconds. */
export type StoredEvent = { place: number; body: string; expires: number };

/**
 * Reads stored events of a shard in the order of their places, for `retryOnConflict`. A missing place is final: its event has
 * expired, or the restore of a part of a transaction has lost it (docs/operations/restore.md).
 *
 * @param range.to at most the place of the last event; undefined if that is unknown
 * @throws StaleReadError or TransactionCanceledException if a missing event is just being stored
 */
export async function readStoredEvents(
  table: Table,
  pk: string,
  { from, to, limit }: { from: number; to?: number; limit: number },
): Promise<StoredEvent[]> {
  const bounds = { from: eventKey(pk, from).sk, to: to === undefined ? to : eventKey(pk, to).sk };
  const items = await table.queryPartition(pk, { ...bounds, limit, consistent: true });
  const events = items.map(({ body, expires, ...key }) => ({ place: placeOfEvent(key), body, expires }) as StoredEvent);
  const places = new Set(events.map(({ place }) => place));
  let missing = (events.length < limit ? to : undefined) ?? events.at(-1)?.place ?? 0;
  while (places.has(missing)) missing--;
  if (missing < from) return events;
  // If events are just being stored, the last missing one is among them. A transactional read also sees such an event.
  if ((await table.transactGet([eventKey(pk, missing)])).size > 0) throw new StaleReadError(pk);
  return events;
}

/**
 * Finds the place of a shard's first stored event that is still retained at `instant`, or the place after the head, by a binary
 * search: expiry times increase with places, whether or not DynamoDB has already deleted the expired events.
 */
export async function findFirstRetainedEvent(
  table: Table,
  pk: string,
  { seq, keptUntil }: Pick<ShardState, "seq" | "keptUntil">,
  instant: Date,
): Promise<number> {
  let [from, to, first] = [1, isRetained(keptUntil, instant) ? seq : 0, seq + 1];
  // Usually all events are retained, so the first one is checked first.
  for (let probe = from; from <= to; probe = Math.floor((from + to) / 2)) {
    const [next] = await retryOnConflict(table.clock, () => readStoredEvents(table, pk, { from: probe, to, limit: 1 }));
    if (next && !isRetained(next.expires, instant)) from = next.place + 1;
    else [to, first] = [probe - 1, next?.place ?? first];
  }
  return first;
}

/** Whether an item with this expiry time (epoch seconds) is retained at `now`. */
export const isRetained = (expires: number, now: Date): boolean => expires * 1_000 > now.getTime();
