import type { Item, Table } from "../../store/client.ts";
import { dailySnapshotKey, snapshotPartition } from "../../store/keys/inventory.ts";
import { nameParts } from "../../store/keys/key.ts";
import type { OpenPage } from "../../store/orderedList/readPage.ts";
import type { Bucket } from "../documents/bucket.ts";
import { snapshotPrefix } from "../documents/objectPrefixes.ts";
import { readSnapshotPage } from "./snapshotFile.ts";

/** The item of a daily snapshot: it names the file with the inventory of a location at the end of a local day. */
export interface DailySnapshot {
  /** yyyy-MM-dd */
  day: string;
  /** The version of the list: the sum of the versions of all its day indexes. */
  version: number;
  /** The generation of the list (`DayIndex.generation`). */
  generation?: number | undefined;
  /** The last segment of the file's key, see `snapshotKey`. */
  file: string;
}

/** The key of a snapshot's file in the bucket. */
export const snapshotKey = (crbId: string, locationId: string, file: string): string =>
  `${snapshotPrefix(crbId)}${locationId}/${file}`;

/**
 * The bucket of the snapshots' files. Loaded on first use, because few calls and few runs need it, and the S3 client
 * takes some of the time in which a function starts.
 */
export async function loadSnapshotBucket(): Promise<Bucket> {
  const { snapshotBucket } = await import("./snapshotBucket.ts");
  return snapshotBucket();
}

/** Reads the snapshot of a day, or the last snapshot before this day, consistently; undefined if there is none. */
export async function readLatestSnapshot(
  table: Table,
  crbId: string,
  locationId: string,
  day: string,
): Promise<DailySnapshot | undefined> {
  const pk = snapshotPartition(crbId, locationId);
  const [from, to] = ["0000", day].map((one) => dailySnapshotKey(pk, one).sk);
  const [item] = await table.queryPartition(pk, { from, to, newestFirst: true, limit: 1, consistent: true });
  return item && { ...(item as Item & Omit<DailySnapshot, "day">), day: nameParts(item.sk, "prefix", "day").day };
}

/**
 * Opens a page of the inventory of a location at the end of a local day. The page is empty for days before the first
 * snapshot. A snapshot never changes, so no read can lag behind the state (`changedAt` is 0).
 *
 * @param date the CRB-local day, yyyy-MM-dd
 */
export async function openDailySnapshot(
  table: Table,
  crbId: string,
  locationId: string,
  date: string,
  window: { offset: number; limit: number },
): Promise<OpenPage> {
  // Replication may have just stored this snapshot and begun a new day, so the read is consistent.
  const snapshot = await readLatestSnapshot(table, crbId, locationId, date);
  const text = JSON.stringify([crbId, locationId, snapshot?.file]);
  return {
    state: { text, changedAt: 0 },
    read: async () => {
      if (!snapshot) return { total: 0, records: [] };
      return readSnapshotPage(await loadSnapshotBucket(), snapshotKey(crbId, locationId, snapshot.file), window);
    },
  };
}
