import { hash } from "node:crypto";
import type { Table } from "./client.ts";

// Cursors are base64url. They are not secret: a caller who forges one reads only another place of data open to that
// caller. The checksum detects mistakes, which could otherwise make a caller miss records.

const checkBytes = 4;
const epochBytes = 6;

/** Encodes parts as a cursor, followed by a checksum. */
export function encodeCursor(...parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts);
  return Buffer.concat([text, digest(text, checkBytes)]).toString("base64url");
}

/** The concatenated parts of a cursor; undefined if the checksum does not fit. */
export function decodeCursor(cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  const text = bytes.subarray(0, -checkBytes);
  return bytes.subarray(-checkBytes).equals(digest(text, checkBytes)) ? text : undefined;
}

/**
 * Distinguishes cursors of this table from those of a restored one. A backup can only be restored into a table of
 * another name, and the runbook uses a name that no table ever had.
 *
 * @param generation of the list, if it was rebuilt (`DayIndex.generation`)
 */
export const digestGeneration = (table: Pick<Table, "name">, generation?: number): Buffer =>
  digest(generation === undefined ? table.name : `${table.name} ${generation}`, epochBytes);

/** The first bytes of a digest. */
export const digest = (content: string | Buffer, length: number): Buffer =>
  hash("sha256", content, "buffer").subarray(0, length);
