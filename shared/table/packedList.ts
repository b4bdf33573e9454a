import { deflateRawSync, inflateRawSync } from "node:zlib";
import { ServiceError } from "../api/errors.ts";
import { type Item, itemId, type Table } from "./client.ts";
import { packedChunkKey, packedListKey } from "./keys.ts";
import type { ListState } from "./rankedList/listState.ts";
import type { OpenPage, Page } from "./rankedList/readPage.ts";

/** A record in a packed list: lists run from the highest key to the lowest. Neither part holds a tab or a line break. */
export interface PackedRecord {
  key: string;
  /** JSON text */
  body: string;
}

/** What a list knows of one of its chunks. */
export interface Chunk {
  id: string;
  count: number;
  /** The highest key in it. */
  first: string;
}

/** A packed list's own item. */
export interface PackedList {
  version: number;
  total: number;
  /** From the highest key to the lowest. */
  chunks: Chunk[];
  /** The records themselves, where they are few enough for one item; there is one chunk then, without an item. */
  records?: Uint8Array;
}

export const emptyList: PackedList = { version: 0, total: 0, chunks: [] };

/** The attributes of a list's own item; what it knows of its chunks is deflated, since every read pays for it. */
export function listAttributes({ version, total, chunks, records }: PackedList): Record<string, unknown> {
  const text = JSON.stringify(chunks.map(({ id, count, first }) => [id, count, first]));
  return { version, total, chunks: deflateRawSync(text), records };
}

function toList(item: Item): PackedList {
  const { version, total, records } = item as unknown as PackedList;
  const packed = item.chunks as Uint8Array | string;
  // Plain text is what lists were stored with before.
  const text = typeof packed === "string" ? packed : inflateRawSync(packed).toString();
  const chunks = (JSON.parse(text) as [string, number, string][]).map(([id, count, first]) => ({
    id,
    count,
    first,
  }));
  return { version, total, chunks, ...(records && { records }) };
}

/** Reads what lists consist of, by partition; one that does not exist is absent. */
export async function loadLists(
  table: Table,
  pks: readonly string[],
  options: { consistent?: boolean } = {},
): Promise<Map<string, PackedList>> {
  const items = await table.batchGet(pks.map(packedListKey), options);
  return new Map([...items.values()].map((item) => [item.pk, toList(item)]));
}

/** The records of the given chunks of a list, in the list's order; undefined when one of them has been replaced. */
export async function loadChunks(
  table: Table,
  pk: string,
  list: PackedList,
  chunks: readonly Chunk[],
  options: { consistent?: boolean } = {},
): Promise<PackedRecord[][] | undefined> {
  if (list.records) return chunks.map(() => unpack(list.records as Uint8Array));
  const keys = chunks.map(({ id }) => packedChunkKey(pk, id));
  const items = await table.batchGet(keys, options);
  const packed = keys.flatMap((key) => (items.get(itemId(key))?.records as Uint8Array | undefined) ?? []);
  return packed.length === keys.length ? packed.map(unpack) : undefined;
}

function unpack(records: Uint8Array): PackedRecord[] {
  return inflateRawSync(records)
    .toString()
    .split("\n")
    .map((line) => {
      const tab = line.indexOf("\t");
      return { key: line.slice(0, tab), body: line.slice(tab + 1) };
    });
}

/**
 * The records at some places of a list; undefined when a chunk has been replaced.
 *
 * @param places ascending, counted from 0
 */
export async function loadPlaces(
  table: Table,
  pk: string,
  list: PackedList,
  places: readonly number[],
  options: { consistent?: boolean } = {},
): Promise<PackedRecord[] | undefined> {
  const wanted: { chunk: Chunk; places: number[] }[] = [];
  let before = 0;
  let next = 0;
  for (const chunk of list.chunks) {
    const own: number[] = [];
    for (let place = places[next]; place !== undefined && place < before + chunk.count; place = places[++next]) {
      own.push(place - before);
    }
    if (own.length > 0) wanted.push({ chunk, places: own });
    before += chunk.count;
  }
  const chunks = await loadChunks(
    table,
    pk,
    list,
    wanted.map(({ chunk }) => chunk),
    options,
  );
  return chunks?.flatMap((records, i) => wanted[i]?.places.flatMap((place) => records[place] ?? []) ?? []);
}

const consistentTries = 8;

/**
 * Begins to read a page of a list, at a cost that depends on the page alone: reads the list's own item. Its `read` goes
 * on with the chunks that the page lies in.
 *
 * @throws ServiceError "unavailable" (`read`) when writers keep the list from being seen in one state
 */
export async function openPackedPage(
  table: Table,
  pk: string,
  page: { offset: number; limit: number },
): Promise<OpenPage> {
  const first = await loadLists(table, [pk]);
  const read = () =>
    whileReplaced(table, [pk], first, async (lists, options) => {
      const list = lists.get(pk) ?? emptyList;
      const length = Math.max(0, Math.min(page.limit, list.total - page.offset));
      const places = Array.from({ length }, (_, i) => page.offset + i);
      const records = await loadPlaces(table, pk, list, places, options);
      return records && { total: list.total, records: records.map(({ body }) => body) };
    });
  return { state: stateOfLists([pk], first), read };
}

/**
 * Reads what lists lead to. A writer replaces chunks, so that a reader who misses one reads the lists again.
 *
 * @param first the lists as they were read already
 * @param attempt answers undefined when it misses a chunk
 * @throws ServiceError "unavailable" when writers keep the lists from being seen in one state
 */
export async function whileReplaced(
  table: Table,
  pks: readonly string[],
  first: ReadonlyMap<string, PackedList>,
  attempt: (lists: ReadonlyMap<string, PackedList>, options: { consistent: boolean }) => Promise<Page | undefined>,
): Promise<Page> {
  for (let tries = 0; tries < consistentTries; tries++) {
    const options = { consistent: tries > 0 };
    const page = await attempt(tries === 0 ? first : await loadLists(table, pks, options), options);
    if (page) return page;
  }
  throw new ServiceError("unavailable");
}

/**
 * The state of packed lists. Their chunks have names that never come again and are never changed, so that nothing that
 * is read by these names lags.
 */
export function stateOfLists(pks: readonly string[], lists: ReadonlyMap<string, PackedList>): ListState {
  const named = pks.map((pk) => [pk, lists.get(pk)?.version, lists.get(pk)?.chunks.map(({ id }) => id)]);
  return { text: JSON.stringify(named), changedAt: 0 };
}
