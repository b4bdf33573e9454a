import { EVENTS_CURSOR } from "../../api/patterns.ts";
import type { Table } from "../client.ts";
import { decodeCursor, digest, digestGeneration, encodeCursor } from "../encodeCursor.ts";
import { shardCount } from "./shards.ts";

// A cursor of events: owner, hour of creation, and a place in each shard; 120 bytes as 160 characters.

const version = 1;
const ownerBytes = 9;
const hourBytes = 4;
const placeBytes = 6;
/** Offset of the hour; version, owner and table precede it. */
const hourAt = 16;
const placesAt = hourAt + hourBytes;

const hourMilliseconds = 3_600_000;
/** Lifetime of a cursor in hours (docs/spec.md#events). */
const goodHours = 30 * 24;

/**
 * Encodes places as a cursor.
 *
 * @param places by shard: the last event that was read
 * @param now stored as its hour, so that equal places give equal cursors within an hour
 */
export function encodeEventsCursor(
  table: Pick<Table, "name">,
  spId: string,
  places: readonly number[],
  now: Date,
): string {
  const numbers = Buffer.alloc(hourBytes + placeBytes * shardCount);
  numbers.writeUIntBE(Math.floor(now.getTime() / hourMilliseconds), 0, hourBytes);
  for (const [shard, place] of places.entries()) numbers.writeUIntBE(place, hourBytes + placeBytes * shard, placeBytes);
  return encodeCursor(Buffer.of(version), digest(spId, ownerBytes), digestGeneration(table), numbers);
}

/**
 * Decodes a cursor. undefined if it belongs to another service provider or table, is invalid, or is more than 30 days
 * and an hour old. A table restored from a backup is another table, because it allocates places again.
 */
export function decodeEventsCursor(table: Table, spId: string, cursor: string, now: Date): number[] | undefined {
  const bytes = EVENTS_CURSOR.test(cursor) ? decodeCursor(cursor) : undefined;
  const head = Buffer.concat([Buffer.of(version), digest(spId, ownerBytes), digestGeneration(table)]);
  if (!bytes?.subarray(0, hourAt).equals(head)) return undefined;
  const hours = Math.floor(now.getTime() / hourMilliseconds) - bytes.readUIntBE(hourAt, hourBytes);
  if (hours > goodHours) return undefined;
  return Array.from({ length: shardCount }, (_, shard) => bytes.readUIntBE(placesAt + placeBytes * shard, placeBytes));
}
