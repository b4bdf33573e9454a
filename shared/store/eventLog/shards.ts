import { createHash } from "node:crypto";

/**
 * How many parts the log of a service provider has, so that CRBs that replicate at once do not all meet in one head. Fixed
 * for ever: cursors hold a place in each.
 */
export const shardCount = 16;

/** Their numbers. */
export const shardNumbers: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The part in which the events of a CRB stand; those without a CRB stand in the first. */
export function shardOf(crbId: string | null): number {
  return crbId === null ? 0 : (createHash("sha256").update(crbId).digest()[0] as number) % shardCount;
}
