import type { Item, Table } from "../client.ts";
import { snapshotProgressKey } from "../keys/inventory.ts";
import { type NodeReference, packNames, unpackNames } from "./snapshotItems.ts";

/** How far a daily snapshot is: what comes first of it is stored, and named by nodes. */
export interface SnapshotBuildState {
  /** rank of the newest record; empty before the first that the state before does not have */
  newest: string;
  /** day of the last record that was looked at, yyyy-MM-dd; empty before the first */
  reached: string;
  /** how many records were read that have come since the state before */
  records: number;
  /** how many chunks of the state before were looked at */
  chunks: number;
  nodes: NodeReference[];
}

export const noProgress: Readonly<SnapshotBuildState> = { newest: "", reached: "", records: 0, chunks: 0, nodes: [] };

/** A daily snapshot that its maker had no time to finish. */
export interface SnapshotProgress extends SnapshotBuildState {
  location: string;
  /** of the list: what was done counts only while it has not changed since */
  version: number;
  /** of the list */
  generation?: number | undefined;
}

/** The daily snapshot of a CRB that was left to the next worker; there is one at most. */
export async function loadSnapshotProgress(table: Table, crbId: string): Promise<SnapshotProgress | undefined> {
  const item = await table.get(snapshotProgressKey(crbId), { consistent: true });
  return item && ({ ...item, nodes: unpackNames(item.nodes as Uint8Array) } as Item & SnapshotProgress);
}

/** The item of one. */
export function snapshotProgressItem(crbId: string, underWay: SnapshotProgress): Item {
  return { ...underWay, nodes: packNames(underWay.nodes), ...snapshotProgressKey(crbId) };
}
