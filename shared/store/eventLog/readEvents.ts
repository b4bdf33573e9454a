import { invalid } from "../../api/errors.ts";
import { noEventsCursor } from "../../api/parameters.ts";
import type { Table } from "../client.ts";
import { eventKey, eventsPartition } from "../keys/events.ts";
import { retryOnConflict, StaleReadError } from "../retryOnConflict.ts";
import { decodeEventsCursor, encodeEventsCursor } from "./eventsCursor.ts";
import { findFirstRetainedEvent, isRetained } from "./findFirstRetainedEvent.ts";
import { retentionMarginSeconds, sequenceEvents } from "./sequenceEvents.ts";
import { shardCount, shardNumbers } from "./shards.ts";

/** A page of a service provider's events (docs/spec.md#events). */
export interface EventsPage {
  /** JSON texts; of each CRB in the order in which they were stored */
  events: string[];
  cursor: string;
  /** Whether more is stored already behind the cursor. */
  hasMore: boolean;
}

/** A shard, and what of it is behind the reader. */
interface ShardToRead {
  pk: string;
  /** the place of the last event */
  head: number;
  /** the place of the last event that was read, or that is kept no longer */
  place: number;
}

/**
 * Reads on in the log of a service provider. What waits for its place gets it first, so that whatever was stored before the
 * request is in the log.
 *
 * Reads a unit for each shard, and what the page holds. Without a cursor the oldest event of the last 30 days is looked for, in as
 * many small reads as its place has bits.
 *
 * @param options.cursor of an earlier page; from the oldest event of the last 30 days where it is undefined
 * @throws ServiceError "invalid" on `query.cursor` for one of another service provider, of none, or behind which events have
 *   expired; "unavailable" when the table cannot be reached
 */
export async function readEvents(
  table: Table,
  spId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<EventsPage> {
  const now = table.clock.now();
  const places = cursor === undefined ? undefined : decodeEventsCursor(table, spId, cursor, now);
  if (cursor !== undefined && !places) throw rejectedCursor();
  // What would expire while it is read on would end the reading.
  const beginning = new Date(now.getTime() + retentionMarginSeconds * 1_000);
  const read = await Promise.all(
    shardNumbers.map(async (shard): Promise<ShardToRead> => {
      const pk = eventsPartition(spId, shard);
      const state = await sequenceEvents(table, pk, table.clock);
      const place = places?.[shard] ?? (await findFirstRetainedEvent(table, pk, state, beginning)) - 1;
      return { pk, head: state.seq, place };
    }),
  );
  // A cursor never is behind the head, but for one that was made up.
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

/** How many events are taken of which shard: as evenly as it goes; where not all have room, others at the next page. */
function portions(read: readonly ShardToRead[], limit: number): (ShardToRead & { take: number })[] {
  const first = read.reduce((sum, { place }) => sum + place, 0) % shardCount;
  const behind = [...read.slice(first), ...read.slice(0, first)].filter(({ head, place }) => place < head);
  const parts: (ShardToRead & { take: number })[] = [];
  let left = limit;
  // Those that have least come first, so that what they leave is shared by the others.
  const byLength = behind.slice(0, limit).toSorted((one, other) => one.head - one.place - (other.head - other.place));
  for (const [done, shard] of byLength.entries()) {
    const take = Math.min(shard.head - shard.place, Math.ceil(left / (byLength.length - done)));
    left -= take;
    parts.push({ ...shard, take });
  }
  return parts;
}

/** The events of a part: places are given without a gap, so where one is missing it shows only in a moment, or has expired. */
function readPart(table: Table, { pk, place, take }: ShardToRead & { take: number }, now: Date): Promise<string[]> {
  const input = {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
    ExpressionAttributeValues: {
      ":pk": pk,
      ":first": eventKey(pk, place + 1).sk,
      ":last": eventKey(pk, place + take).sk,
    },
    ConsistentRead: true,
  };
  return retryOnConflict(table.clock, async (isLast) => {
    const items = await table.query(input);
    const isExpired = items.some(({ expires }) => !isRetained(expires as number, now));
    if (isExpired || (isLast && items.length < take)) throw rejectedCursor();
    if (items.length < take) throw new StaleReadError(pk);
    return items.map(({ body }) => body as string);
  });
}
