import { createHash } from "node:crypto";

/** Number of shards, so that not all replications write one head. Never change it: cursors have a place in each. */
export const shardCount = 16;

export const shardNumbers: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The shard of a CRB's events. Events of no CRB are in the first shard. */
export const shardOf = (crbId: string | null): number =>
  crbId === null ? 0 : (createHash("sha256").update(crbId).digest()[0] as number) % shardCount;
