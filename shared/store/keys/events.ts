import { type Key, key, ofProvider } from "./key.ts";

/** The events of one shard of a service provider's event log. */
export const eventsPartition = (spId: string, shard: number | "*"): string => ofProvider(spId, `EVENTS#${shard}`);

export function parseEventsPartition(pk: string): { spId: string; shard: number } {
  const [, spId = "", , shard = ""] = pk.split("#");
  return { spId, shard: Number(shard) };
}

/** An event by its place in a shard, from 1. */
export const eventKey = (pk: string, seq: number): Key => key(pk, "EVENT", String(seq).padStart(12, "0"));

/** The place of an event in its shard. */
export const placeOfEvent = ({ sk }: Key): number => Number(sk.split("#")[1]);

const headPartitionCount = 2;

/** The heads and waiting events of all shards, in few partitions: a poll costs one read unit for each of them. */
export const eventHeadPartitions = (spId: string): string[] =>
  Array.from({ length: headPartitionCount }, (_, part) => headPartition(spId, part));

const headPartition = (spId: string, shard: number): string =>
  ofProvider(spId, `EVENTS#HEADS#${shard % headPartitionCount}`);

/** The head of a shard and all items after it: the mark of webhook endpoints, and the waiting events. */
export const shardStatePrefix = (pk: string): Key => shardStateKey(pk, "");

/** The shard of an item in a partition of heads. */
export const shardOfState = ({ sk }: Key): number => Number(sk.slice(0, 2));

function shardStateKey(pk: string, name: string): Key {
  const { spId, shard } = parseEventsPartition(pk);
  return key(headPartition(spId, shard), String(shard).padStart(2, "0"), name);
}

/** The head of a shard: the place of its last event. It sorts before the other items of the shard's state. */
export const eventHeadKey = (pk: string): Key => shardStateKey(pk, "HEAD");

/** Marks a service provider as having webhook endpoints, so that the worker that sequences its events queues deliveries. */
export const webhookListenerKey = (pk: string): Key => shardStateKey(pk, "LISTENED");

/** Events without a place, stored in one transaction with their changes. @param crbId null for events of no CRB */
export const waitingEventsKey = (pk: string, crbId: string | null): Key =>
  shardStateKey(pk, `WAITING#${crbId ?? "NONE"}`);
