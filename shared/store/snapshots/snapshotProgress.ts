import type { Item, Table } from "../client.ts";
import { closingUnderWayKey } from "../keys.ts";
import { type NodeName, packNames, unpackNames } from "./snapshotItems.ts";

/** How far a closing state is: what comes first of it is stored, and named by nodes. */
export interface Progress {
  /** rank of the newest record; empty before the first that the state before does not have */
  newest: string;
  /** day of the last record that was looked at, yyyy-MM-dd; empty before the first */
  reached: string;
  /** how many records were read that have come since the state before */
  records: number;
  /** how many chunks of the state before were looked at */
  chunks: number;
  nodes: NodeName[];
}

export const noProgress: Readonly<Progress> = { newest: "", reached: "", records: 0, chunks: 0, nodes: [] };

/** A closing state that its maker had no time to finish. */
export interface UnderWay extends Progress {
  location: string;
  /** of the list: what was done counts only while it has not changed since */
  version: number;
  /** of the list */
  generation?: number | undefined;
}

/** The closing state of a CRB that was left to the next worker; there is one at most. */
export async function loadUnderWay(table: Table, crbId: string): Promise<UnderWay | undefined> {
  const item = await table.get(closingUnderWayKey(crbId), { consistent: true });
  return item && ({ ...item, nodes: unpackNames(item.nodes as Uint8Array) } as Item & UnderWay);
}

/** The item of one. */
export function underWayItem(crbId: string, underWay: UnderWay): Item {
  return { ...underWay, nodes: packNames(underWay.nodes), ...closingUnderWayKey(crbId) };
}
