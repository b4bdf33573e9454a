import type { Table } from "../client.ts";
import { decodeCursor, digest, digestGeneration, encodeCursor } from "../encodeCursor.ts";
import { shardCount } from "./shards.ts";

const version = 1;
const ownerBytes = 9;
const hourBytes = 4;
const placeBytes = 6;
/** Offset of the hour in a cursor's bytes. The version and the digests of the service provider and table come first. */
const hourAt = 16;
const placesAt = hourAt + hourBytes;

const hourMilliseconds = 3_600_000;
/** Lifetime of a cursor in hours (docs/spec.md#events). */
const goodHours = 30 * 24;

/** Encodes the place of the last event that was read in each shard, and the hour of creation, as a cursor. */
export function encodeEventsCursor(table: Table, spId: string, places: readonly number[], now: Date): string {
  const numbers = Buffer.alloc(hourBytes + placeBytes * shardCount);
  numbers.writeUIntBE(Math.floor(now.getTime() / hourMilliseconds), 0, hourBytes);
  for (const [shard, place] of places.entries()) numbers.writeUIntBE(place, hourBytes + placeBytes * shard, placeBytes);
  return encodeCursor(Buffer.of(version), digest(spId, ownerBytes), digestGeneration(table), numbers);
}

/**
 * Decodes a cursor; undefined if it is invalid, belongs to another service provider or table, or is more than 30 days and
 * an hour old. A restored table may have different events at the same places.
 */
export function decodeEventsCursor(table: Table, spId: string, cursor: string, now: Date): number[] | undefined {
  const bytes = decodeCursor(cursor, placesAt + placeBytes * shardCount);
  const head = Buffer.concat([Buffer.of(version), digest(spId, ownerBytes), digestGeneration(table)]);
  if (!bytes?.subarray(0, hourAt).equals(head)) return undefined;
  const hours = Math.floor(now.getTime() / hourMilliseconds) - bytes.readUIntBE(hourAt, hourBytes);
  if (hours > goodHours) return undefined;
  return Array.from({ length: shardCount }, (_, shard) => bytes.readUIntBE(placesAt + placeBytes * shard, placeBytes));
}
