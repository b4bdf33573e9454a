import { gzipSync } from "node:zlib";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { exportFolder } from "../../../../shared/domain/copies/changeFolders.ts";
import type { Bucket } from "../../../../shared/domain/documents/bucket.ts";

type Attributes = Record<string, AttributeValue>;

/** A change as an incremental export has it. */
export interface Change {
  Keys: Attributes;
  NewImage?: Attributes;
}

/** Stores the files that DynamoDB writes for an incremental export of an hour. */
export async function storeExport(
  bucket: Bucket,
  tableName: string,
  from: Date,
  changes: readonly Change[],
  { id = "01", isComplete = true } = {},
): Promise<void> {
  const folder = `${exportFolder(tableName, from)}AWSDynamoDB/`;
  const file = `${folder}data/${id}.json.gz`;
  const lines = changes.map((change) =>
    JSON.stringify({ Metadata: { WriteTimestampMicros: { N: "1" } }, ...change }, base64Binary),
  );
  const store = (key: string, text: string) => bucket.storeBytes(key, Buffer.from(text));
  await store(`${folder}${id}/_started`, "");
  await bucket.storeBytes(file, gzipSync(lines.map((line) => `${line}\n`).join("")));
  await store(
    `${folder}${id}/manifest-files.json`,
    `${JSON.stringify({ itemCount: lines.length, dataFileS3Key: file })}\n`,
  );
  if (isComplete) await store(`${folder}${id}/manifest-summary.json`, "{}");
}

/** Exports have binary values in base64. `JSON.stringify` has already converted a Buffer to an object. */
const base64Binary = (_: string, value: unknown): unknown =>
  value && typeof value === "object" && "type" in value && value.type === "Buffer" && "data" in value
    ? Buffer.from(value.data as number[]).toString("base64")
    : value;
