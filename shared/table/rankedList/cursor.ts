import { hash } from "node:crypto";
import { CURSOR } from "../../api/patterns.ts";
import type { Table } from "../client.ts";
import { isRank, type RankedList, rankNumber, rankOfNumber } from "../keys.ts";

// A cursor names a place in a list for its callers: 27 bytes as 36 characters of base64url. It is no secret, and whoever
// makes one up reads from another place of a list that is open to them anyway; its parts keep mistakes from being taken
// for a place, after which records would be missed.

const parts = { version: 1, list: 8, epoch: 6, place: 8, check: 4 };

/** A place in a list: behind the record that stands at a rank, or before all records. */
export interface Cursor {
  /** undefined at the beginning */
  rank: string | undefined;
  /** Whether it was made of the same table: one that was restored from a backup has another name. */
  isOfTable: boolean;
}

/** The cursor of a place: behind a rank, or before all records where that is undefined. */
export function cursorOf(table: Table, list: RankedList, rank: string | undefined): string {
  const place = Buffer.alloc(parts.place);
  place.writeBigUInt64BE(rank === undefined ? 0n : BigInt(rankNumber(rank)));
  const text = Buffer.concat([Buffer.of(1), digest(list.pk, parts.list), epochOf(table), place]);
  return Buffer.concat([text, digest(text, parts.check)]).toString("base64url");
}

/** The place that a cursor names; undefined where it is none of this list's. */
export function readCursor(table: Table, list: RankedList, cursor: string): Cursor | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const text = bytes.subarray(0, -parts.check);
  const [listAt, placeAt] = [parts.version, parts.version + parts.list + parts.epoch];
  const number = Number(bytes.readBigUInt64BE(placeAt));
  const rank = number === 0 ? undefined : rankOfNumber(number);
  const isSound =
    bytes[0] === 1 &&
    bytes.subarray(-parts.check).equals(digest(text, parts.check)) &&
    bytes.subarray(listAt, listAt + parts.list).equals(digest(list.pk, parts.list)) &&
    (rank === undefined || isRank(rank));
  if (!isSound) return undefined;
  return { rank, isOfTable: bytes.subarray(listAt + parts.list, placeAt).equals(epochOf(table)) };
}

/**
 * The epoch of all lists of a table. A backup can only be restored into a table of another name, and the runbook takes one
 * that no table ever had; so nothing has to be raised, or read, for cursors to be told apart, and none that was made
 * between a restored instant and its restore is ever taken for one of the table as it is now.
 */
const epochOf = (table: Table): Buffer => digest(table.name, parts.epoch);

const digest = (content: string | Buffer, length: number): Buffer =>
  hash("sha256", content, "buffer").subarray(0, length);
