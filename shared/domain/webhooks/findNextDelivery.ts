import type { EventType } from "../../api/enumerations.ts";
import type { DeliveryPosition } from "./deliveryLease.ts";
import { isWanted, type SequencedEvent } from "./readNextEvents.ts";

/** What is delivered next: an event, or several in one. */
export interface NextDelivery {
  /** The one that is delivered, the last of them. */
  event: SequencedEvent;
  /** What is sent: the event, with the `cursor_before` of the first. */
  body: string;
  /** The places of all, ascending. */
  places: readonly number[];
}

/**
 * The first event that an endpoint is to be sent and has not got, merged with later ones: a `records.changed` with those of the
 * same CRB and kind that follow it, unless another event of that CRB stands between them (docs/spec.md#webhook-delivery).
 *
 * @param events in their order
 * @param position `done` names places that were delivered before; up to `unmergedTo` each event is delivered by itself
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
  const told = JSON.parse(last.text);
  return JSON.stringify({ ...told, data: { ...told.data, cursor_before: first.data.cursor_before } });
}

/** How far a shard is delivered: the place before the first event that is still to be, and those behind it that are done. */
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
