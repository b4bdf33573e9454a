import { hash } from "node:crypto";
import type { Table } from "./client.ts";

// Cursors are base64url. They are not secret: with a forged cursor, a caller reads only data that the caller may read
// anyway. The checksum detects damaged cursors. Without it, a caller with a damaged cursor could miss records.

const checkBytes = 4;
const epochBytes = 6;

/** Encodes parts as a cursor, followed by a checksum. */
export function encodeCursor(...parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts);
  return Buffer.concat([text, digest(text, checkBytes)]).toString("base64url");
}

/**
 * The concatenated parts of a cursor; undefined if the checksum does not fit.
 *
 * @param length number of bytes of the parts; a cursor of another length belongs to another kind of list
 */
export function decodeCursor(cursor: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  // The decoder ignores characters that are not base64url, and a superfluous last one.
  if (bytes.length !== length + checkBytes || bytes.toString("base64url") !== cursor) return undefined;
  const text = bytes.subarray(0, -checkBytes);
  return bytes.subarray(-checkBytes).equals(digest(text, checkBytes)) ? text : undefined;
}

/**
 * A digest of the table's name and the list's generation. Cursors contain it, so that a table restored from a backup
 * rejects the cursors of the original table. A backup can only be restored into a table of another name, and the
 * runbook uses a name that no table ever had.
 *
 * @param generation generation of the list (`DayIndex.generation`); undefined if the list was never rebuilt
 */
export const digestGeneration = (table: Pick<Table, "name">, generation?: number): Buffer =>
  digest(generation === undefined ? table.name : `${table.name} ${generation}`, epochBytes);

/** The first bytes of a digest. */
export const digest = (content: string | Buffer, length: number): Buffer =>
  hash("sha256", content, "buffer").subarray(0, length);
