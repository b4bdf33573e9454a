import { hash } from "node:crypto";
import type { Table } from "./client.ts";

// Cursors are not secret: a forged one reads only data that its caller may read anyway. The checksum detects damaged ones,
// with which a caller could miss records.

const checkBytes = 4;
const epochBytes = 6;

export function encodeCursor(...parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts);
  return Buffer.concat([text, digest(text, checkBytes)]).toString("base64url");
}

/** The concatenated parts of a cursor; undefined if the checksum, or the given length, does not fit. */
export function decodeCursor(cursor: string, length?: number): Buffer | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  const text = bytes.subarray(0, -checkBytes);
  // The decoder ignores characters that are not base64url, and a superfluous last one.
  if (text.length !== (length ?? text.length) || bytes.toString("base64url") !== cursor) return undefined;
  return bytes.subarray(-checkBytes).equals(digest(text, checkBytes)) ? text : undefined;
}

/** A digest of the table's name and the list's generation. A restored table and a rebuilt list reject other cursors. */
export const digestGeneration = (table: Pick<Table, "name">, generation?: number): Buffer =>
  digest(generation === undefined ? table.name : `${table.name} ${generation}`, epochBytes);

export const digest = (content: string | Buffer, length: number): Buffer =>
  hash("sha256", content, "buffer").subarray(0, length);
