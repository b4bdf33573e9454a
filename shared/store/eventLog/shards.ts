import { createHash } from "node:crypto";

/**
 * Number of shards of an event log, so that not all replications write the same head. It must never change, because cursors
 * have a place in each shard.
 */
export const shardCount = 16;

export const shardNumbers: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The shard of a CRB's events. Events of no CRB are in the first shard. */
export const shardOf = (crbId: string | null): number =>
  crbId === null ? 0 : (createHash("sha256").update(crbId).digest()[0] as number) % shardCount;
