import { hash } from "node:crypto";
import type { Table } from "./client.ts";

// How a place is named for callers, as base64url. It is no secret, and whoever makes one up reads from another place of what
// is open to them anyway; its parts keep mistakes from being taken for a place, after which something would be missed.

const checkBytes = 4;
const epochBytes = 6;

/** A cursor of these parts, with a checksum behind them. */
export function encodeCursor(...parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts);
  return Buffer.concat([text, digest(text, checkBytes)]).toString("base64url");
}

/** The parts of a cursor one behind the other; undefined where they do not fit its checksum. */
export function decodeCursor(cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  const text = bytes.subarray(0, -checkBytes);
  return bytes.subarray(-checkBytes).equals(digest(text, checkBytes)) ? text : undefined;
}

/**
 * Distinguishes cursors of this table from those of a restored one. A backup can only be restored into a table of another
 * name, and the runbook uses a name that no table ever had.
 *
 * @param generation of the list, if it was rebuilt (`Day index.generation`)
 */
export const digestGeneration = (table: Pick<Table, "name">, generation?: number): Buffer =>
  digest(generation === undefined ? table.name : `${table.name} ${generation}`, epochBytes);

/** The beginning of a digest. */
export const digest = (content: string | Buffer, length: number): Buffer =>
  hash("sha256", content, "buffer").subarray(0, length);
