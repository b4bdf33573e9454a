import type { Item, Table } from "../client.ts";
import { snapshotProgressKey } from "../keys/inventory.ts";
import { type NodeReference, packNames, unpackNames } from "./snapshotItems.ts";

/** The progress of a daily snapshot: its newest records are stored and named by nodes. */
export interface SnapshotBuildState {
  /** position of the newest record; empty before the first new record */
  newest: string;
  /** day of the last processed record, yyyy-MM-dd; empty before the first */
  reached: string;
  /** number of records read that are newer than the previous snapshot */
  records: number;
  /** number of chunks of the previous snapshot that were processed */
  chunks: number;
  nodes: NodeReference[];
}

export const noProgress: Readonly<SnapshotBuildState> = { newest: "", reached: "", records: 0, chunks: 0, nodes: [] };

/** A daily snapshot that a worker had no time to finish. */
export interface SnapshotProgress extends SnapshotBuildState {
  location: string;
  /** of the list: the progress is valid only while the version is the same */
  version: number;
  /** of the list */
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
