import type { Key } from "./key.ts";

/** A shard of a service provider's log of events: the events, its head, and what waits for a place in it. */
export function eventsPartition(serviceProviderId: string, shard: number | "*"): string {
  return `SERVICE_PROVIDER#${serviceProviderId}#EVENTS#${shard}`;
}

/** Whose events a partition of `eventsPartition` holds, and which shard of them. */
export function parseEventsPartition(pk: string): { spId: string; shard: number } {
  const [, spId = "", , shard = ""] = pk.split("#");
  return { spId, shard: Number(shard) };
}

/** An event by its place in a shard, from 1 on; all events sort before the shard's other items. */
export function eventKey(pk: string, seq: number): Key {
  return { pk, sk: `EVENT#${String(seq).padStart(12, "0")}` };
}

/** The place of the last event of a shard; the first of the items that are no events. */
export function eventHeadKey(pk: string): Key {
  return { pk, sk: "HEAD" };
}

/**
 * Says that a service provider has webhook endpoints: whoever gives events of a shard their places sees it beside the head, and
 * asks for them to be delivered.
 */
export function webhookListenerKey(pk: string): Key {
  return { pk, sk: "LISTENED" };
}

/** Events of a CRB, or without one, that were stored with what they tell and have no place in their shard yet. */
export function waitingEventsKey(pk: string, crbId: string | null): Key {
  return { pk, sk: `WAITING#${crbId ?? "NONE"}` };
}
