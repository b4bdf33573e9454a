import type { Table } from "../client.ts";
import { decodeCursor, digest, digestGeneration, encodeCursor } from "../encodeCursor.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { isPosition, numberToPosition, positionToNumber } from "../keys/positions.ts";

const version = 1;
const listBytes = 8;
/** Offset of the place in a cursor's bytes. The version and the digests of the list and generation come first. */
const placeAt = 15;
const placeBytes = 8;

/** A place in a list: after a position, or before all records. */
export interface Cursor {
  /** the position after which the caller continues; undefined for the place before all records */
  rank: string | undefined;
  /** Whether the cursor is of this table and generation. A restored table or a rebuilt list has another one. */
  isCurrent(generation: number | undefined): boolean;
}

export function encodeListCursor(
  table: Table,
  list: OrderedList,
  rank: string | undefined,
  generation: number | undefined,
): string {
  const place = Buffer.alloc(placeBytes);
  place.writeBigUInt64BE(rank === undefined ? 0n : BigInt(positionToNumber(rank)));
  return encodeCursor(Buffer.of(version), digest(list.pk, listBytes), digestGeneration(table, generation), place);
}

/** Decodes a cursor; undefined if it is not a cursor of this list. */
export function decodeListCursor(table: Table, list: OrderedList, cursor: string): Cursor | undefined {
  const bytes = decodeCursor(cursor, placeAt + placeBytes);
  if (bytes?.[0] !== version || !bytes.subarray(1, 1 + listBytes).equals(digest(list.pk, listBytes))) return undefined;
  const number = Number(bytes.readBigUInt64BE(placeAt));
  const rank = number === 0 ? undefined : numberToPosition(number);
  if (rank !== undefined && !isPosition(rank)) return undefined;
  const epoch = bytes.subarray(1 + listBytes, placeAt);
  return { rank, isCurrent: (generation) => epoch.equals(digestGeneration(table, generation)) };
}
