import { deflateRawSync, inflateRawSync } from "node:zlib";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { ServiceError } from "../api/errors.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { Item, Table } from "./client.ts";
import {
  inventoryDayKey,
  locationInventoryList,
  type RankedList,
  recordList,
  snapshotChunkKey,
  snapshotKey,
} from "./keys.ts";
import { loadDirectories } from "./rankedList/directoryItems.ts";
import { type Fence, transactFenced } from "./rankedList/fence.ts";
import { type OpenPage, type Page, readPage } from "./rankedList/readPage.ts";

/** The closing state of a location's inventory on a local day: its records, as compressed chunks. */
interface Snapshot {
  total: number;
  /** The list's version that it shows. */
  version: number;
  /** Place of each chunk's first record. */
  starts: number[];
}

const recordsPerChunk = 500;
/** An item holds 400 KB; a chunk that compresses badly is halved. */
const mostChunkBytes = 350 * 1024;

/**
 * The CRB-local day on which the present inventory began to be written: it is what stood at the end of that day and,
 * until replication writes on a later one, of every day after it. Undefined before the first replication.
 */
export async function inventoryDay(table: Table, crbId: string): Promise<string | undefined> {
  return (await table.get(inventoryDayKey(crbId), { consistent: true }))?.day as string | undefined;
}

/**
 * To be called before anything new is written to a CRB's inventory: on the first call of a local day it keeps the
 * closing state of every location that changed since its last one. Killed in between and called again, it keeps the
 * same.
 *
 * @param today the CRB-local day, yyyy-MM-dd
 * @throws LeaseLostError when the fence no longer stands
 */
export async function keepSnapshots(
  table: Table,
  crbId: string,
  today: string,
  fence: Fence,
  clock: Clock = systemClock,
): Promise<void> {
  const day = await inventoryDay(table, crbId);
  if (day && day >= today) return;
  if (day) {
    const locations = recordList(crbId, "location");
    for (let offset = 0, total = 1; offset < total; offset += 1000) {
      const page = await readPage(table, locations, { offset, limit: 1000 }, { attribute: "sk" });
      total = page.total;
      for (const locationId of page.records) await keepSnapshot(table, crbId, locationId, day, fence, clock);
    }
  }
  await transactFenced(table, fence, [table.putWrite({ ...inventoryDayKey(crbId), day: today })]);
}

async function keepSnapshot(
  table: Table,
  crbId: string,
  locationId: string,
  day: string,
  fence: Fence,
  clock: Clock,
): Promise<void> {
  const list = locationInventoryList(crbId, locationId);
  const directories = await loadDirectories(table, list.orders.rank);
  const version = directories.reduce((sum, directory) => sum + directory.version, 0);
  if (version === 0 || (await latestSnapshot(table, crbId, locationId, day))?.version === version) return;
  const starts: number[] = [];
  let total = 1;
  for (let offset = 0; offset < total; offset += recordsPerChunk) {
    const page = await settledPage(table, list, offset, clock);
    total = page.total;
    for (const part of partsThatFit(page.records)) {
      const key = snapshotChunkKey(crbId, locationId, day, starts.length);
      await transactFenced(table, fence, [table.putWrite({ ...key, records: part.compressed })]);
      starts.push(offset + part.start);
    }
  }
  const snapshot: Snapshot = { total, version, starts };
  await transactFenced(table, fence, [table.putWrite({ ...snapshotKey(crbId, locationId, day), ...snapshot })]);
}

/** A page of a list that nobody writes to, read again until the index shows all of it. */
async function settledPage(table: Table, list: RankedList, offset: number, clock: Clock): Promise<Page> {
  for (let attempt = 0; attempt < 8; attempt++) {
    if (attempt > 0) await clock.sleep(100 * 2 ** attempt);
    const page = await readPage(table, list, { offset, limit: recordsPerChunk });
    if (page.records.length === Math.min(recordsPerChunk, page.total - offset)) return page;
  }
  throw new ServiceError("unavailable");
}

function partsThatFit(records: readonly string[], start = 0): { start: number; compressed: Uint8Array }[] {
  // No JSON text holds a line break.
  const compressed = deflateRawSync(records.join("\n"));
  if (compressed.byteLength <= mostChunkBytes || records.length === 1) return [{ start, compressed }];
  const half = Math.ceil(records.length / 2);
  return [...partsThatFit(records.slice(0, half), start), ...partsThatFit(records.slice(half), start + half)];
}

async function latestSnapshot(
  table: Table,
  crbId: string,
  locationId: string,
  day: string,
): Promise<(Item & Snapshot) | undefined> {
  const key = snapshotKey(crbId, locationId, day);
  const [item] = await table.queryRaw({
    KeyConditionExpression: "pk = :pk AND sk <= :day",
    ExpressionAttributeValues: { ":pk": { S: key.pk }, ":day": { S: key.sk } },
    ScanIndexForward: false,
    Limit: 1,
  });
  return item && (unmarshall(item) as Item & Snapshot);
}

/**
 * Begins to read a page of the inventory of a location as it stood at the end of a local day, or empty before the first.
 * What was kept of a day stays as it is, so that its state cannot lag.
 */
export async function openSnapshot(
  table: Table,
  crbId: string,
  locationId: string,
  date: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<OpenPage> {
  const snapshot = await latestSnapshot(table, crbId, locationId, date);
  const { pk } = snapshotKey(crbId, locationId, date);
  const state = { text: JSON.stringify([pk, snapshot?.sk, snapshot?.version]), changedAt: 0 };
  const read = async () => (snapshot ? snapshotPage(table, crbId, locationId, snapshot, offset, limit) : noPage);
  return { state, read };
}

const noPage: Page = { total: 0, records: [] };

async function snapshotPage(
  table: Table,
  crbId: string,
  locationId: string,
  { sk: day, starts, total }: Item & Snapshot,
  offset: number,
  limit: number,
): Promise<Page> {
  const wanted = starts
    .map((start, chunk) => ({
      start,
      end: starts[chunk + 1] ?? total,
      key: snapshotChunkKey(crbId, locationId, day, chunk),
    }))
    .filter(({ start, end }) => end > offset && start < offset + limit);
  const chunks = await table.batchGet(wanted.map(({ key }) => key));
  const records = [...chunks.values()]
    .sort((a, b) => (a.sk < b.sk ? -1 : 1))
    .flatMap((item) =>
      inflateRawSync(item.records as Uint8Array)
        .toString()
        .split("\n"),
    );
  const skip = offset - (wanted[0]?.start ?? 0);
  return { total, records: records.slice(skip, skip + limit) };
}
