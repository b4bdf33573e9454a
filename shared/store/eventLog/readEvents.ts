import { invalid } from "../../api/errors.ts";
import { noEventsCursor } from "../../api/parameters.ts";
import type { Table } from "../client.ts";
import { eventKey, eventsPartition } from "../keys/events.ts";
import { retryOnConflict, StaleReadError } from "../retryOnConflict.ts";
import { decodeEventsCursor, encodeEventsCursor } from "./eventsCursor.ts";
import { findFirstRetainedEvent, isRetained } from "./findFirstRetainedEvent.ts";
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
  const left = new Map(parts.map(({ pk, take }) => [pk, take]));
  const reached = read.map(({ pk, place }) => place + (left.get(pk) ?? 0));
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
  const parts: (ShardToRead & { take: number })[] = [];
  let left = limit;
  // Shards with the fewest unread events come first, so that the other shards share the rest of the limit.
  const byLength = behind.slice(0, limit).toSorted((one, other) => one.head - one.place - (other.head - other.place));
  for (const [done, shard] of byLength.entries()) {
    const take = Math.min(shard.head - shard.place, Math.ceil(left / (byLength.length - done)));
    left -= take;
    parts.push({ ...shard, take });
  }
  return parts;
}

/** Reads a part of a page. Places have no gaps: a missing event has expired or is about to become visible. */
function readPart(table: Table, { pk, place, take }: ShardToRead & { take: number }, now: Date): Promise<string[]> {
  const bounds = { from: eventKey(pk, place + 1).sk, to: eventKey(pk, place + take).sk };
  return retryOnConflict(table.clock, async (isLast) => {
    const items = await table.queryPartition(pk, { ...bounds, consistent: true });
    const isExpired = items.some(({ expires }) => !isRetained(expires as number, now));
    if (isExpired || (isLast && items.length < take)) throw rejectedCursor();
    if (items.length < take) throw new StaleReadError(pk);
    return items.map(({ body }) => body as string);
  });
}
