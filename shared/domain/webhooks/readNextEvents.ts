import type { EventType } from "../../api/enumerations.ts";
import { itemId, type Table } from "../../store/client.ts";
import { isRetained } from "../../store/eventLog/findFirstRetainedEvent.ts";
import { eventHeadKey, eventKey, lastEventPlace } from "../../store/keys/events.ts";
import { retryOnConflict, StaleReadError } from "../../store/retryOnConflict.ts";

/** Number of events read at once. Only events read together are merged. */
const eventsAtOnce = 100;

export interface SequencedEvent {
  place: number;
  /** the event as JSON text, as receivers get it (docs/spec.md#webhook-delivery) */
  text: string;
  id: string;
  type: EventType;
  crbId: string | null;
  data: Readonly<Record<string, unknown>>;
  /** epoch seconds */
  expires: number;
}

/** The next events after a sequence number. No sequence number is missing between them. */
export interface EventBatch {
  /** The sequence number before the first event: the requested number, or a later number if events have expired. */
  seq: number;
  events: SequencedEvent[];
  /** Whether there may be more events after these. */
  isFull: boolean;
}

/**
 * Reads the next events after a sequence number. If there are none, it costs one read unit. It costs another one if the
 * shard has no event that is retained.
 *
 * @throws ServiceError "unavailable" if the table cannot be reached or repeated reads are inconsistent
 */
export function readNextEvents(
  table: Table,
  pk: string,
  seq: number,
  atOnce: number = eventsAtOnce,
): Promise<EventBatch> {
  return retryOnConflict(table.clock, async () => {
    // The query includes the event before. If this event is found and no other, there is no newer one.
    const bounds = { from: eventKey(pk, seq).sk, to: eventKey(pk, lastEventPlace).sk };
    const items = await table.queryPartition(pk, { ...bounds, consistent: true, limit: atOnce + 1 });
    const found = items.map(({ sk, body, expires }) => parsed(sk, body, expires)).filter(({ place }) => place > seq);
    const [first] = found;
    const begin = first ? first.place - 1 : items.length > 0 ? seq : await readHead(table, pk, seq);
    // Sequence numbers have no gaps. So a missing event has either expired, or is so new that the query did not find it.
    if (begin > seq && (await isThere(table, pk, begin))) throw new StaleReadError(pk);
    const gap = found.findIndex(({ place }, i) => place !== begin + 1 + i);
    const events = gap < 0 ? found : found.slice(0, gap);
    return { seq: begin, events, isFull: gap >= 0 || found.length >= atOnce };
  });
}

/** The place of the last event of a shard, at least `seq`. */
async function readHead(table: Table, pk: string, seq: number): Promise<number> {
  const head = await table.get(eventHeadKey(pk), { consistent: true });
  return Math.max(Number(head?.seq ?? 0), seq);
}

/** Whether an event exists. The read is a transaction, because a transaction also sees an event that is just being stored. */
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

/** Whether an event has not expired and has one of the endpoint's event types. An empty list of types means all types. */
export const isWanted = (
  { type, expires }: Pick<SequencedEvent, "type" | "expires">,
  types: readonly EventType[],
  now: Date,
): boolean => (types.length === 0 || types.includes(type)) && isRetained(expires, now);
