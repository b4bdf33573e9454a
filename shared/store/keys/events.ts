import type { Key } from "./key.ts";

/**
 * The partition of one shard of a service provider's event log. It has the shard's events, its head, and its waiting
 * events.
 */
export function eventsPartition(serviceProviderId: string, shard: number | "*"): string {
  return `SERVICE_PROVIDER#${serviceProviderId}#EVENTS#${shard}`;
}

/** The service provider and shard of an `eventsPartition`. */
export function parseEventsPartition(pk: string): { spId: string; shard: number } {
  const [, spId = "", , shard = ""] = pk.split("#");
  return { spId, shard: Number(shard) };
}

/** An event by its place in a shard, from 1. Events sort before the shard's other items. */
export function eventKey(pk: string, seq: number): Key {
  return { pk, sk: `EVENT#${String(seq).padStart(12, "0")}` };
}

/**
 * The head of a shard: the place of its last event. It sorts after the events and before all other items, so that one
 * query reads it together with these items.
 */
export function eventHeadKey(pk: string): Key {
  return { pk, sk: "HEAD" };
}

/**
 * Marks a service provider as having webhook endpoints. A worker that sequences events reads the mark together with the
 * head. If the mark exists, the worker queues deliveries.
 */
export function webhookListenerKey(pk: string): Key {
  return { pk, sk: "LISTENED" };
}

/**
 * Events that have no place in the shard yet. Each event was stored in the same transaction as the change that it
 * reports.
 *
 * @param crbId the CRB of the events; null for events of no CRB
 */
export function waitingEventsKey(pk: string, crbId: string | null): Key {
  return { pk, sk: `WAITING#${crbId ?? "NONE"}` };
}
