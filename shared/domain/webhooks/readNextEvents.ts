import type { EventType } from "../../api/enumerations.ts";
import { itemId, type Table } from "../../store/client.ts";
import { isRetained } from "../../store/eventLog/findFirstRetainedEvent.ts";
import { eventHeadKey, eventKey } from "../../store/keys/events.ts";
import { retryOnConflict, StaleReadError } from "../../store/retryOnConflict.ts";

/** So many events are read at once, of which those that fit are merged. */
const eventsAtOnce = 100;

/** An event of a shard. */
export interface SequencedEvent {
  place: number;
  /** JSON text (docs/spec.md#webhook-delivery), as callers get it */
  text: string;
  id: string;
  type: EventType;
  crbId: string | null;
  data: Readonly<Record<string, unknown>>;
  /** epoch seconds */
  expires: number;
}

/** The next events behind a place, without a gap between them. */
export interface EventBatch {
  /** The place behind which they stand: that which was asked for, or a later one where events between them have expired. */
  seq: number;
  events: SequencedEvent[];
  /** Whether there may be more. */
  isFull: boolean;
}

/**
 * Reads the next events behind a place. A read unit where there is none.
 *
 * @throws ServiceError "unavailable" when the table cannot be reached, or shows no one state
 */
export function readNextEvents(
  table: Table,
  pk: string,
  seq: number,
  atOnce: number = eventsAtOnce,
): Promise<EventBatch> {
  return retryOnConflict(table.clock, async () => {
    const { sk: head } = eventHeadKey(pk);
    // The head sorts behind the events.
    const items = await table.query({
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :head",
      ExpressionAttributeValues: { ":pk": pk, ":first": eventKey(pk, seq + 1).sk, ":head": head },
      ConsistentRead: true,
      Limit: atOnce,
    });
    const last = Number(items.find(({ sk }) => sk === head)?.seq ?? 0);
    const found = items.filter(({ sk }) => sk !== head).map(({ sk, body, expires }) => parsed(sk, body, expires));
    const [first] = found;
    const begin = first ? first.place - 1 : Math.max(last, seq);
    // Places are given without a gap, so what is missing has expired, or only does not show yet.
    if (begin > seq && (await isThere(table, pk, begin))) throw new StaleReadError(pk);
    const gap = found.findIndex(({ place }, i) => place !== begin + 1 + i);
    const events = gap < 0 ? found : found.slice(0, gap);
    return { seq: begin, events, isFull: gap >= 0 || items.length >= atOnce };
  });
}

/** Whether an event is there, by a transaction, which also shows what is just being stored. */
async function isThere(table: Table, pk: string, place: number): Promise<boolean> {
  const key = eventKey(pk, place);
  const item = (await table.transactGet([key])).get(itemId(key));
  return item !== undefined;
}

function parsed(sk: string, body: unknown, expires: unknown): SequencedEvent {
  const text = body as string;
  const { id, type, crb_id: crbId, data } = JSON.parse(text);
  return { place: placeOf(sk), text, id, type, crbId, data, expires: expires as number };
}

const placeOf = (sk: string): number => Number(sk.split("#")[1]);

/** Whether an event is to be delivered to an endpoint of these types; all when empty. */
export const isWanted = (
  { type, expires }: Pick<SequencedEvent, "type" | "expires">,
  types: readonly EventType[],
  now: Date,
): boolean => (types.length === 0 || types.includes(type)) && isRetained(expires, now);
