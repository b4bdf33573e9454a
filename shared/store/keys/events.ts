import type { Key } from "./key.ts";

/** A shard of a service provider's event log: the events, the shard's head, and the waiting events. */
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

/** The head: the place of a shard's last event. It sorts first among the items that are not events. */
export function eventHeadKey(pk: string): Key {
  return { pk, sk: "HEAD" };
}

/**
 * Marks a service provider as having webhook endpoints. A worker that sequences events reads it together with the head,
 * and then queues deliveries.
 */
export function webhookListenerKey(pk: string): Key {
  return { pk, sk: "LISTENED" };
}

/**
 * Events that have no sequence number in the shard yet. Each was stored in the transaction that it reports.
 *
 * @param crbId the CRB of the events; null for events of no CRB
 */
export function waitingEventsKey(pk: string, crbId: string | null): Key {
  return { pk, sk: `WAITING#${crbId ?? "NONE"}` };
}
