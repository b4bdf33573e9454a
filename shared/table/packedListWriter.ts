import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { TransactionCanceledException, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../api/errors.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Table, unchanged } from "./client.ts";
import { packedChunkKey, packedListKey } from "./keys.ts";
import {
  type Chunk,
  emptyList,
  listAttributes,
  loadChunks,
  loadLists,
  type PackedList,
  type PackedRecord,
} from "./packedList.ts";

/** What becomes of a list: records by key; null where the record is to go. */
export type ListChange = ReadonlyMap<string, string | null>;

/** A chunk of so many licences takes about 30 KB; a page of a hundred lies in two of them at most. */
const mostRecords = 200;
/** Below this a chunk joins the next one. */
const fewRecords = 50;
/** Before packing, so that a chunk fits an item though nothing in it can be packed. */
const mostChunkBytes = 256 * 1024;

/** What one transaction takes on of one list, so that it stays within 100 items and 4 MB (DynamoDB developer guide). */
const mostChunks = 8;
const mostChangedBytes = 1024 * 1024;
const mostItems = 100;
const mostBytes = 3.5 * 1024 * 1024;

const listsPerGroup = 100;
const groupsAtOnce = 4;
const mostAttempts = 12;

interface Plan {
  pk: string;
  writes: TransactWriteItem[];
  bytes: number;
  /** What is left for another transaction. */
  rest: ListChange;
}

/**
 * Changes packed lists, each by transactions that leave it whole. Writing the same change again changes nothing.
 *
 * @param changes by the lists' partitions
 * @throws ServiceError "unavailable" when the table stays refused
 */
export async function changePackedLists(
  table: Table,
  changes: ReadonlyMap<string, ListChange>,
  clock: Clock = systemClock,
): Promise<void> {
  const all = [...changes];
  const groups: [string, ListChange][][] = [];
  for (let i = 0; i < all.length; i += listsPerGroup) groups.push(all.slice(i, i + listsPerGroup));
  const work = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) await changeGroup(table, new Map(group), clock);
  };
  await Promise.all(Array.from({ length: groupsAtOnce }, work));
}

async function changeGroup(table: Table, changes: ReadonlyMap<string, ListChange>, clock: Clock): Promise<void> {
  let pending = changes;
  for (let attempt = 0; pending.size > 0; ) {
    if (attempt === mostAttempts) throw new ServiceError("unavailable");
    if (attempt > 0) await clock.sleep(Math.random() * Math.min(5_000, 25 * 2 ** attempt));
    const lists = await loadLists(table, [...pending.keys()], { consistent: true });
    const plans = await Promise.all(
      [...pending].map(([pk, change]) => plan(table, pk, lists.get(pk) ?? emptyList, change)),
    );
    const left = new Map<string, ListChange>();
    let refused = false;
    for (const batch of pack(plans)) {
      const stored = await commit(table, batch);
      refused ||= !stored;
      for (const { pk, rest } of batch) {
        const missing = stored ? rest : pending.get(pk);
        if (missing?.size) left.set(pk, missing);
        refused ||= missing === pending.get(pk);
      }
    }
    pending = left;
    if (refused) attempt++;
  }
}

/** @returns false when somebody else changed one of the lists in between, or the table was busy */
async function commit(table: Table, plans: readonly Plan[]): Promise<boolean> {
  const writes = plans.flatMap((each) => each.writes);
  try {
    if (writes.length > 0) await table.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceledException) return false;
    if (error instanceof ServiceError && error.kind === "unavailable") return false;
    throw error;
  }
}

function pack(plans: readonly Plan[]): Plan[][] {
  const batches: Plan[][] = [];
  let items = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const each of plans) {
    items += each.writes.length;
    bytes += each.bytes;
    if (items > mostItems || bytes > mostBytes) {
      batches.push([]);
      items = each.writes.length;
      bytes = each.bytes;
    }
    batches.at(-1)?.push(each);
  }
  return batches;
}

/** Plans as much of a list's change as one transaction takes. */
async function plan(table: Table, pk: string, list: PackedList, change: ListChange): Promise<Plan> {
  const { byChunk, rest } = assign(list, change);
  const contents = await changedContents(table, pk, list, byChunk);
  // Somebody has replaced a chunk since the list was read: everything is left for the next try.
  if (!contents) return { pk, writes: [], bytes: 0, rest: change };
  if (contents.size === 0) return { pk, writes: [], bytes: 0, rest };

  const fresh: { chunk: Chunk; records: Uint8Array }[] = [];
  const chunks = (list.chunks.length > 0 ? list.chunks : [undefined]).flatMap((chunk, index) => {
    const records = contents.get(index);
    if (!records) return chunk ?? [];
    const pieces = split(records).map((piece) => ({ chunk: newChunk(piece), records: packRecords(piece) }));
    fresh.push(...pieces);
    return pieces.map((piece) => piece.chunk);
  });
  const [only, ...more] = fresh;
  const inline = chunks.length === 1 && only && more.length === 0 ? only.records : undefined;
  const total = chunks.reduce((sum, { count }) => sum + count, 0);
  const next: PackedList = { version: list.version + 1, total, chunks, ...(inline && { records: inline }) };
  const condition = unchanged("version", list.version || undefined);
  const writes = [
    // An empty list stays, since a version that came again would pass for the one that was read.
    table.putWrite({ ...packedListKey(pk), ...listAttributes(next) }, condition),
  ];
  if (!list.records) {
    const replaced = list.chunks.filter((_, index) => contents.has(index));
    writes.push(...replaced.map(({ id }) => table.deleteWrite(packedChunkKey(pk, id))));
  }
  if (!inline) {
    writes.push(...fresh.map(({ chunk, records }) => table.putWrite({ ...packedChunkKey(pk, chunk.id), records })));
  }
  return { pk, writes, bytes: fresh.reduce((sum, { records }) => sum + records.length, chunks.length * 80), rest };
}

/** Which chunk, by its index, each change belongs to; and what is too much for one transaction. */
function assign({ chunks }: PackedList, change: ListChange) {
  const byChunk = new Map<number, ListChange>();
  const rest = new Map<string, string | null>();
  let bytes = 0;
  let index = 0;
  for (const [key, body] of [...change].sort(([a], [b]) => (a < b ? 1 : -1))) {
    while ((chunks[index + 1]?.first ?? "") >= key) index++;
    const own = (byChunk.get(index) as Map<string, string | null> | undefined) ?? new Map();
    bytes += (body ?? "").length;
    const full = bytes > mostChangedBytes || (!byChunk.has(index) && byChunk.size === mostChunks);
    if (byChunk.size > 0 && full) rest.set(key, body);
    else byChunk.set(index, own.set(key, body));
  }
  return { byChunk, rest };
}

/**
 * The new records of every chunk that changes, by its index; a chunk with few is joined with the next one.
 *
 * @returns undefined when a chunk has been replaced since the list was read
 */
async function changedContents(
  table: Table,
  pk: string,
  list: PackedList,
  byChunk: ReadonlyMap<number, ListChange>,
): Promise<Map<number, PackedRecord[]> | undefined> {
  const load = (chunks: Chunk[]) => loadChunks(table, pk, list, chunks, { consistent: true });
  const indexes = [...byChunk.keys()];
  const loaded = await load(indexes.flatMap((index) => list.chunks[index] ?? []));
  if (!loaded) return undefined;
  const contents = new Map<number, PackedRecord[]>();
  for (const [i, index] of indexes.entries()) {
    const before = loaded[i] ?? [];
    const after = applied(before, byChunk.get(index) ?? new Map());
    if (after) contents.set(index, after);
  }
  for (let index = 0; index + 1 < list.chunks.length; index++) {
    const own = contents.get(index);
    const next = list.chunks[index + 1];
    if (!own || own.length >= fewRecords || !next) continue;
    const following = contents.get(index + 1) ?? (await load([next]))?.[0];
    if (!following) return undefined;
    contents.set(index, []);
    contents.set(index + 1, [...own, ...following]);
  }
  return contents;
}

/** A chunk's records after a change; undefined when it changes nothing. */
function applied(before: readonly PackedRecord[], change: ListChange): PackedRecord[] | undefined {
  const records = new Map(before.map(({ key, body }) => [key, body]));
  let changes = false;
  for (const [key, body] of change) {
    if (records.get(key) === (body ?? undefined)) continue;
    changes = true;
    if (body === null) records.delete(key);
    else records.set(key, body);
  }
  if (!changes) return undefined;
  return [...records].map(([key, body]) => ({ key, body })).sort((a, b) => (a.key < b.key ? 1 : -1));
}

function split(records: readonly PackedRecord[]): PackedRecord[][] {
  const pieces: PackedRecord[][] = [];
  const even = Math.ceil(records.length / Math.ceil(records.length / mostRecords));
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(record.body);
    const last = pieces.at(-1);
    if (!last || last.length === even || bytes + size > mostChunkBytes) {
      pieces.push([record]);
      bytes = size;
    } else {
      last.push(record);
      bytes += size;
    }
  }
  return pieces;
}

/** Chunks are never changed, only replaced, so that their names must never come again. */
function newChunk(records: readonly PackedRecord[]): Chunk {
  return { id: randomBytes(6).toString("base64url"), count: records.length, first: records[0]?.key ?? "" };
}

function packRecords(records: readonly PackedRecord[]): Uint8Array {
  return deflateRawSync(records.map(({ key, body }) => `${key}\t${body}`).join("\n"));
}
