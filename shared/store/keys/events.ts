import type { Key } from "./key.ts";

/** The partition of the events of one shard of a service provider's event log. */
export function eventsPartition(serviceProviderId: string, shard: number | "*"): string {
  return `SERVICE_PROVIDER#${serviceProviderId}#EVENTS#${shard}`;
}

/** The service provider and shard of an `eventsPartition`. */
export function parseEventsPartition(pk: string): { spId: string; shard: number } {
  const [, spId = "", , shard = ""] = pk.split("#");
  return { spId, shard: Number(shard) };
}

/** An event by its place in a shard, from 1. */
export function eventKey(pk: string, seq: number): Key {
  return { pk, sk: `EVENT#${String(seq).padStart(12, "0")}` };
}

/** Maximum place of an event in a shard. */
export const lastEventPlace = 999_999_999_999;

/** Number of partitions for the heads of a service provider's shards. */
const headPartitionCount = 2;

/**
 * The partitions of the heads and waiting events of all shards. Each partition has those of several shards, so that a
 * poll of all shards costs one read unit for each partition.
 */
export function eventHeadPartitions(serviceProviderId: string): string[] {
  return Array.from({ length: headPartitionCount }, (_, part) => headPartition(serviceProviderId, part));
}

function headPartition(spId: string, shard: number): string {
  return `SERVICE_PROVIDER#${spId}#EVENTS#HEADS#${shard % headPartitionCount}`;
}

/** The head of a shard and all items after it: the mark of webhook endpoints, and the waiting events. */
export function shardStatePrefix(pk: string): Key {
  const { spId, shard } = parseEventsPartition(pk);
  return { pk: headPartition(spId, shard), sk: `${String(shard).padStart(2, "0")}#` };
}

/** The shard of an item in a partition of heads. */
export function shardOfState({ sk }: Key): number {
  return Number(sk.slice(0, 2));
}

const shardStateKey = (pk: string, name: string): Key => {
  const prefix = shardStatePrefix(pk);
  return { pk: prefix.pk, sk: `${prefix.sk}${name}` };
};

/** The head of a shard: the place of its last event. It sorts before the other items of the shard's state. */
export function eventHeadKey(pk: string): Key {
  return shardStateKey(pk, "HEAD");
}

/**
 * Marks a service provider as having webhook endpoints. A worker that sequences events reads the mark together with the
 * head. If the mark exists, the worker queues deliveries.
 */
export function webhookListenerKey(pk: string): Key {
  return shardStateKey(pk, "LISTENED");
}

/**
 * Events that have no place in the shard yet. Each event was stored in the same transaction as the change that it
 * reports.
 *
 * @param crbId the CRB of the events; null for events of no CRB
 */
export function waitingEventsKey(pk: string, crbId: string | null): Key {
  return shardStateKey(pk, `WAITING#${crbId ?? "NONE"}`);
}
