import { invalid } from "../../api/errors.ts";
import { noEventsCursor } from "../../api/parameters.ts";
import type { Table } from "../client.ts";
import { eventKey, eventsPartition } from "../keys/events.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import { decodeEventsCursor, encodeEventsCursor } from "./eventsCursor.ts";
import { findFirstRetainedEvent, isRetained, readStoredEvents } from "./findFirstRetainedEvent.ts";
import { readShards, retentionMarginSeconds, sequenceEvents } from "./sequenceEvents.ts";
import { shardCount } from "./shards.ts";

/** A page of a service provider's events (docs/spec.md#events). */
export interface EventsPage {
  /** JSON texts; the events of each CRB are in the order in which they were stored */
  events: string[];
  cursor: string;
  hasMore: boolean;
}

interface ShardToRead {
  pk: string;
  head: number;
  place: number;
}

/**
 * Reads the event log of a service provider from a cursor, after it has sequenced waiting events. The cost is two read
 * units for the heads of all shards, plus the events of the page.
 *
 * @param options.cursor of an earlier page; if undefined, the read begins at the oldest event of the last 30 days
 * @throws ServiceError "invalid" on `query.cursor` if the cursor is invalid or of another service provider, or if events
 *   after it have expired; "unavailable" if the table cannot be reached
 */
export async function readEvents(
  table: Table,
  spId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<EventsPage> {
  const now = table.clock.now();
  const places = cursor === undefined ? undefined : decodeEventsCursor(table, spId, cursor, now);
  if (cursor !== undefined && !places) throw rejectedCursor();
  // The first page begins with an event that does not expire soon, because expired events reject the next cursor.
  const beginning = new Date(now.getTime() + retentionMarginSeconds * 1_000);
  const states = await readShards(table, spId);
  const read = await Promise.all(
    states.map(async (stored, shard): Promise<ShardToRead> => {
      const pk = eventsPartition(spId, shard);
      const state = stored.waiting.length === 0 ? stored : await sequenceEvents(table, pk, table.clock);
      const place = places?.[shard] ?? (await findFirstRetainedEvent(table, pk, state, beginning)) - 1;
      return { pk, head: state.seq, place };
    }),
  );
  // Only a forged cursor has a place after the head.
  if (read.some(({ head, place }) => place > head)) throw rejectedCursor();
  const parts = portions(read, limit);
  const texts = await Promise.all(parts.map((part) => readPart(table, part, now)));
  const reached = read.map(({ pk, place }) => place + (parts.find((part) => part.pk === pk)?.take ?? 0));
  return {
    events: texts.flat(),
    cursor: encodeEventsCursor(table, spId, reached, now),
    hasMore: read.some(({ head }, shard) => (reached[shard] as number) < head),
  };
}

const rejectedCursor = () => invalid({ "query.cursor": { message: noEventsCursor } });

/** Distributes the page over the shards as evenly as possible. The next page begins with other shards. */
function portions(read: readonly ShardToRead[], limit: number): (ShardToRead & { take: number })[] {
  const first = read.reduce((sum, { place }) => sum + place, 0) % shardCount;
  const behind = [...read.slice(first), ...read.slice(0, first)].filter(({ head, place }) => place < head);
  let left = limit;
  // Shards with the fewest unread events come first, so that the other shards share the rest of the limit.
  const byLength = behind.slice(0, limit).toSorted((one, other) => one.head - one.place - (other.head - other.place));
  return byLength.map((shard, done) => {
    const take = Math.min(shard.head - shard.place, Math.ceil(left / (byLength.length - done)));
    left -= take;
    return { ...shard, take };
  });
}

/** Reads a part of a page. It lacks events that a restore has lost, and is rejected if events may have expired. */
async function readPart(table: Table, { pk, place, take }: ShardToRead & { take: number }, now: Date) {
  const range = { from: place + 1, to: place + take, limit: take };
  const events = await retryOnConflict(table.clock, () => readStoredEvents(table, pk, range));
  // A missing event has not expired if an earlier one is retained, because expiry times increase with places.
  const earlier = { before: eventKey(pk, range.from).sk, newestFirst: true, limit: 1, consistent: true };
  const [first] = events[0]?.place === range.from ? events : await table.queryPartition(pk, earlier);
  if (!first || !isRetained(first.expires as number, now)) throw rejectedCursor();
  return events.map(({ body }) => body);
}
