import type { Item, Table } from "../client.ts";
import { snapshotProgressKey } from "../keys/inventory.ts";
import { type NodeReference, packNames, unpackNames } from "./snapshotItems.ts";

/**
 * The progress of the build of a daily snapshot. Its newest records are already stored in chunks, and its nodes name
 * these chunks.
 */
export interface SnapshotBuildState {
  /** position of the newest record; empty before the first new record */
  newest: string;
  /** day of the last processed record, yyyy-MM-dd; empty before the first record */
  reached: string;
  /** number of records, newer than the previous snapshot, that were processed */
  records: number;
  /** number of chunks of the previous snapshot that were processed */
  chunks: number;
  nodes: NodeReference[];
}

export const noProgress: Readonly<SnapshotBuildState> = { newest: "", reached: "", records: 0, chunks: 0, nodes: [] };

/** The progress of a daily snapshot that a worker had no time to finish. */
export interface SnapshotProgress extends SnapshotBuildState {
  location: string;
  /** version of the list; the progress is valid only while the list has this version */
  version: number;
  /** generation of the list; undefined if the list was never rebuilt */
  generation?: number | undefined;
}

/** Reads the unfinished daily snapshot of a CRB; there is at most one. */
export async function loadSnapshotProgress(table: Table, crbId: string): Promise<SnapshotProgress | undefined> {
  const item = await table.get(snapshotProgressKey(crbId), { consistent: true });
  return item && ({ ...item, nodes: unpackNames(item.nodes as Uint8Array) } as Item & SnapshotProgress);
}

/** The item of an unfinished daily snapshot. */
export function snapshotProgressItem(crbId: string, underWay: SnapshotProgress): Item {
  return { ...underWay, nodes: packNames(underWay.nodes), ...snapshotProgressKey(crbId) };
}
