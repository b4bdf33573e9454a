import { EVENTS_CURSOR } from "../../api/patterns.ts";
import type { Table } from "../client.ts";
import { decodeCursor, digest, digestGeneration, encodeCursor } from "../encodeCursor.ts";
import { shardCount } from "./shards.ts";

// A cursor of events: whose they are, when it was given, and behind which place of each shard it stands; 120 bytes as 160
// characters.

const version = 1;
const ownerBytes = 9;
const hourBytes = 4;
const placeBytes = 6;
/** Behind the version, the owner and the epoch. */
const hourAt = 16;
const placesAt = hourAt + hourBytes;

const hourMilliseconds = 3_600_000;
/** How long a cursor is good (docs/spec.md#events). */
const goodHours = 30 * 24;

/**
 * The cursor of places.
 *
 * @param places by shard: of the last event that was read
 * @param now its hour is kept, so that it stays the same while nothing happens
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
 * The places that a cursor names; undefined where it is another service provider's, another table's (after a restore from a
 * backup, when places are given again), none at all, or more than 30 days and an hour old.
 */
export function decodeEventsCursor(table: Table, spId: string, cursor: string, now: Date): number[] | undefined {
  const bytes = EVENTS_CURSOR.test(cursor) ? decodeCursor(cursor) : undefined;
  const head = Buffer.concat([Buffer.of(version), digest(spId, ownerBytes), digestGeneration(table)]);
  if (!bytes?.subarray(0, hourAt).equals(head)) return undefined;
  const hours = Math.floor(now.getTime() / hourMilliseconds) - bytes.readUIntBE(hourAt, hourBytes);
  if (hours > goodHours) return undefined;
  return Array.from({ length: shardCount }, (_, shard) => bytes.readUIntBE(placesAt + placeBytes * shard, placeBytes));
}
