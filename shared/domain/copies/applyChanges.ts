import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { AttributeValue, WriteRequest } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { writeBatches } from "../../store/batchCalls.ts";
import type { RawItem, Table } from "../../store/client.ts";
import { exportMinutes } from "./changeFolders.ts";
import { type ExportBucket, findExport, listHours } from "./findExports.ts";

const hourMs = exportMinutes * 60_000;
/** The changes that are in memory at once. */
const changesAtOnce = 1_000;

/** A complete export of an hour. */
export interface FoundExport {
  from: Date;
  /** The folder of its manifests. */
  folder: string;
}

/** The exports after a time, and the first hour that is missing between them. */
export interface ExportChain {
  exports: FoundExport[];
  /** The beginning of the first missing hour. Exports after it are not in the chain. */
  missing?: Date;
}

/**
 * Finds the exports with the changes since a time, in order, up to the first missing hour.
 *
 * @param since the time of the restored copy
 */
export async function findExportsSince(bucket: ExportBucket, since: Date): Promise<ExportChain> {
  const hours = (await listHours(bucket)).all.filter((from) => from + hourMs > since.getTime());
  const exports: FoundExport[] = [];
  const first = Math.floor(since.getTime() / hourMs) * hourMs;
  for (let from = first; from <= (hours.at(-1) ?? 0); from += hourMs) {
    const folder = hours.includes(from) ? await findExport(bucket, from) : undefined;
    if (folder === undefined) return from === hours.at(-1) ? { exports } : { exports, missing: new Date(from) };
    exports.push({ from: new Date(from), folder });
  }
  return { exports };
}

/**
 * Writes the changes of an export to a table. A repetition has the same result, because an export has the last state of
 * each item that changed in its hour.
 *
 * @returns the number of written and of deleted items
 * @throws Error that names the file, if a file of the export is not in DynamoDB's format
 */
export async function applyExport(
  table: Table,
  bucket: ExportBucket,
  { folder }: FoundExport,
): Promise<{ put: number; deleted: number }> {
  const counts = { put: 0, deleted: 0 };
  for await (const line of linesOf(bucket, `${folder}manifest-files.json`)) {
    const { dataFileS3Key: file } = JSON.parse(line) as { dataFileS3Key: string };
    let writes: WriteRequest[] = [];
    for await (const change of linesOf(bucket, file)) {
      const write = writeOf(file, change);
      if ("PutRequest" in write) counts.put++;
      else counts.deleted++;
      writes.push(write);
      if (writes.length < changesAtOnce) continue;
      await writeBatches(table, writes);
      writes = [];
    }
    await writeBatches(table, writes);
  }
  return counts;
}

/** A change has the keys of its item, and its new state unless the item was deleted. */
function writeOf(file: string, line: string): WriteRequest {
  const { Keys, NewImage } = JSON.parse(line) as { Keys?: JsonItem; NewImage?: JsonItem };
  if (NewImage) return { PutRequest: { Item: itemOf(NewImage) } };
  if (!Keys) throw new Error(`${file} has a line without keys: it is no incremental export of DynamoDB.`);
  return { DeleteRequest: { Key: itemOf(Keys) } };
}

/** An item as JSON: like the wire format, with binary values in base64. */
type JsonItem = Record<string, JsonValue>;
type JsonValue = { B: string } | { BS: string[] } | { L: JsonValue[] } | { M: JsonItem } | AttributeValue;

const itemOf = (item: JsonItem): RawItem =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, decodeValue(value)]));

function decodeValue(value: JsonValue): AttributeValue {
  if ("B" in value && typeof value.B === "string") return { B: Buffer.from(value.B, "base64") };
  if ("BS" in value && value.BS) return { BS: value.BS.map((each) => Buffer.from(each as string, "base64")) };
  if ("L" in value && value.L) return { L: value.L.map(decodeValue) };
  if ("M" in value && value.M) return { M: itemOf(value.M as JsonItem) };
  return value as AttributeValue;
}

/** The lines of an object, which is compressed if its key ends with `.gz`. */
async function* linesOf({ s3, bucket }: ExportBucket, key: string): AsyncGenerator<string> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!(Body instanceof Readable)) throw new Error(`${key} has no content.`);
  const input = key.endsWith(".gz") ? Body.pipe(createGunzip()) : Body;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) if (line !== "") yield line;
}
