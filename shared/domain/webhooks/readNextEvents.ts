import type { EventType } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import { isRetained, readStoredEvents, type StoredEvent } from "../../store/eventLog/findFirstRetainedEvent.ts";
import { eventHeadKey } from "../../store/keys/events.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";

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

/** The next events after a sequence number, in order. */
export interface EventBatch {
  /** The requested sequence number, or the last one of the shard if no later event is stored any more. */
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
    const range = { from: Math.max(seq, 1), limit: atOnce + 1 };
    let stored = await readStoredEvents(table, pk, range);
    let last = seq;
    if (stored.length === 0) {
      last = await readHead(table, pk, seq);
      // Either the events up to the head have expired, or they are so new that the query did not find them.
      if (last > seq) stored = await readStoredEvents(table, pk, { ...range, to: last });
    }
    const events = stored.filter(({ place }) => place > seq).map(parsed);
    return { seq: events.length > 0 ? seq : last, events, isFull: events.length >= atOnce };
  });
}

/** The place of the last event of a shard, at least `seq`. */
async function readHead(table: Table, pk: string, seq: number): Promise<number> {
  const head = await table.get(eventHeadKey(pk), { consistent: true });
  return Math.max(Number(head?.seq ?? 0), seq);
}

function parsed({ place, body: text, expires }: StoredEvent): SequencedEvent {
  const { id, type, crb_id: crbId, data } = JSON.parse(text);
  return { place, text, id, type, crbId, data, expires };
}

/** Whether an event has not expired and has one of the endpoint's event types. An empty list of types means all types. */
export const isWanted = (
  { type, expires }: Pick<SequencedEvent, "type" | "expires">,
  types: readonly EventType[],
  now: Date,
): boolean => (types.length === 0 || types.includes(type)) && isRetained(expires, now);
