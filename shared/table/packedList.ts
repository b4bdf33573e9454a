import { inflateRawSync } from "node:zlib";
import { ServiceError } from "../api/errors.ts";
import { type Item, itemId, type Table } from "./client.ts";
import { packedChunkKey, packedListKey } from "./keys.ts";

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

/** The attributes of a list's own item. */
export function listAttributes({ version, total, chunks, records }: PackedList): Record<string, unknown> {
  const text = JSON.stringify(chunks.map(({ id, count, first }) => [id, count, first]));
  return { version, total, chunks: text, records };
}

function toList(item: Item): PackedList {
  const { version, total, records } = item as unknown as PackedList;
  const chunks = (JSON.parse(item.chunks as string) as [string, number, string][]).map(([id, count, first]) => ({
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

const consistentTries = 8;

/**
 * Reads a page of a list, at a cost that depends on the page alone: the list's own item, then the chunks that the page
 * lies in. A writer replaces chunks, so that a reader who misses one reads the list again.
 *
 * @throws ServiceError "unavailable" when writers keep the list from being seen in one state
 */
export async function readPackedPage(
  table: Table,
  pk: string,
  page: { offset: number; limit: number },
): Promise<{ total: number; records: string[] }> {
  for (let attempt = 0; attempt < consistentTries; attempt++) {
    const options = { consistent: attempt > 0 };
    const list = (await loadLists(table, [pk], options)).get(pk) ?? emptyList;
    const { chunks, skip } = chunksOfPage(list, page);
    const records = await loadChunks(table, pk, list, chunks, options);
    if (records) {
      const bodies = records.flat().slice(skip, skip + page.limit);
      return { total: list.total, records: bodies.map(({ body }) => body) };
    }
  }
  throw new ServiceError("unavailable");
}

/** The chunks that a page lies in, and how many records of the first come before the page. */
function chunksOfPage({ chunks }: PackedList, page: { offset: number; limit: number }) {
  const wanted: Chunk[] = [];
  let skip = page.offset;
  let before = 0;
  for (const chunk of chunks) {
    if (before + chunk.count <= page.offset) skip -= chunk.count;
    else if (before < page.offset + page.limit) wanted.push(chunk);
    before += chunk.count;
  }
  return { chunks: wanted, skip };
}
