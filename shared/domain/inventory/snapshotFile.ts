import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Page } from "../../store/orderedList/readPage.ts";
import type { Bucket } from "../documents/bucket.ts";

/** A part has at least this number of records, so that the records compress well. */
const minRecordsOfPart = 500;
/** S3 stores at most 2 KB of metadata. The size of a part takes at most eight characters of it. */
const maxParts = 200;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * The content of a file of records, and its metadata. The content is one gzip file: a line of JSON for each record. The
 * file consists of parts, and each part is a gzip file too, so a page is read without the parts before it.
 */
export interface SnapshotFile {
  content: Buffer;
  metadata: {
    /** number of records */
    records: string;
    /** number of records in each part but the last */
    "part-records": string;
    /** bytes of each part, in order, in base 36 */
    "part-bytes": string;
  };
}

/**
 * Packs records into a file. Holds only the compressed parts in memory.
 *
 * @param total number of records
 * @param records the JSON texts in groups, in the order of the list
 */
export async function packSnapshot(total: number, records: AsyncIterable<readonly string[]>): Promise<SnapshotFile> {
  const perPart = Math.max(minRecordsOfPart, Math.ceil(total / maxParts));
  const parts: Buffer[] = [];
  const pending: string[] = [];
  const storePart = async () => void parts.push(await compress(`${pending.splice(0, perPart).join("\n")}\n`));
  for await (const group of records) {
    pending.push(...group);
    while (pending.length >= perPart) await storePart();
  }
  if (pending.length > 0 || total === 0) await storePart();
  return {
    content: Buffer.concat(parts),
    metadata: {
      records: String(total),
      "part-records": String(perPart),
      "part-bytes": parts.map(({ length }) => length.toString(36)).join(),
    },
  };
}

/**
 * Reads a page of a file that `packSnapshot` has made: its metadata, then the parts of the page.
 *
 * @throws Error if the file cannot be read, for example because it was lost; ServiceError "unavailable" if S3 throttles
 *   or cannot be reached
 */
export async function readSnapshotPage(
  bucket: Bucket,
  storageKey: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page> {
  const first = await bucket.readRange(storageKey, 0, 1);
  const metadata = first.metadata as SnapshotFile["metadata"];
  const [total, perPart] = [Number(metadata.records), Number(metadata["part-records"])];
  const end = Math.min(offset + limit, total);
  if (offset >= end) return { total, records: [] };
  const sizes = metadata["part-bytes"].split(",").map((size) => Number.parseInt(size, 36));
  const startOf = (part: number) => sizes.slice(0, part).reduce((sum, size) => sum + size, 0);
  const [from, to] = [Math.floor(offset / perPart), Math.ceil(end / perPart)];
  const { bytes } = await bucket.readRange(storageKey, startOf(from), startOf(to));
  const lines = (await decompress(bytes)).toString().split("\n");
  return { total, records: lines.slice(offset - from * perPart, end - from * perPart) };
}
