import type { EventType } from "../../api/enumerations.ts";
import type { DeliveryPosition } from "./deliveryLease.ts";
import { isWanted, type SequencedEvent } from "./readNextEvents.ts";

/** The next delivery: one event, or several merged into one. */
export interface NextDelivery {
  /** The delivered event: the last of the merged events. */
  event: SequencedEvent;
  /** The request body: the event, with the `cursor_before` of the first merged event. */
  body: string;
  /** The sequence numbers of the merged events, ascending. */
  places: readonly number[];
}

/**
 * Finds the first wanted event that is not delivered. If this is a `records.changed` event, merges it with the later
 * `records.changed` events of the same CRB and kind. The merge ends before the CRB's first wanted event of another type or kind
 * (docs/spec.md#webhook-delivery).
 *
 * @param events in the order of their sequence numbers
 * @param position `done` lists the delivered sequence numbers; events up to `unmergedTo` are not merged
 */
export function findNextDelivery(
  events: readonly SequencedEvent[],
  { done, unmergedTo }: Pick<DeliveryPosition, "done" | "unmergedTo">,
  types: readonly EventType[],
  now: Date,
): NextDelivery | undefined {
  const wanted = events.filter((event) => !done.includes(event.place) && isWanted(event, types, now));
  const [first] = wanted;
  if (!first) return undefined;
  const ofCrb = wanted.filter(({ crbId }) => crbId === first.crbId);
  const end = ofCrb.findIndex((event) => !isMergeable(first, event));
  const mayMerge = first.type === "records.changed" && first.place > unmergedTo;
  const merged = mayMerge ? ofCrb.slice(0, end < 0 ? ofCrb.length : end) : [first];
  const event = merged.at(-1) as SequencedEvent;
  return { event, body: bodyOf(first, event), places: merged.map(({ place }) => place) };
}

const isMergeable = (first: SequencedEvent, { type, data }: SequencedEvent): boolean =>
  type === first.type && data.kind === first.data.kind;

function bodyOf(first: SequencedEvent, last: SequencedEvent): string {
  if (first === last) return last.text;
  const lastEvent = JSON.parse(last.text);
  return JSON.stringify({ ...lastEvent, data: { ...lastEvent.data, cursor_before: first.data.cursor_before } });
}

/**
 * Computes the new position: the sequence number before the first pending event, and the delivered sequence numbers after it.
 */
export function advancePosition(
  seq: number,
  events: readonly SequencedEvent[],
  done: readonly number[],
  types: readonly EventType[],
  now: Date,
): { seq: number; done: number[] } {
  const open = events.find((event) => !done.includes(event.place) && isWanted(event, types, now));
  const reached = open ? open.place - 1 : (events.at(-1)?.place ?? seq);
  return { seq: reached, done: done.filter((place) => place > reached) };
}
