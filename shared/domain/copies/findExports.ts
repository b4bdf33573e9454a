import { ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { exportFolder, tableFolder } from "./changeFolders.ts";

/** The exports of a table's changes in a bucket. */
export interface ExportBucket {
  /** A client of the bucket's region. */
  s3: S3Client;
  bucket: string;
  /** The table whose changes were exported. */
  tableName: string;
}

/** The hours with a folder in the bucket, in epoch milliseconds and in order. One response holds all folders. */
export async function listHours({ s3, bucket, tableName }: ExportBucket): Promise<number[]> {
  const folder = tableFolder(tableName);
  const folders = await listFolders(s3, bucket, folder);
  return folders.map((each) => Date.parse(each.slice(folder.length, -1))).sort((one, other) => one - other);
}

/**
 * Finds the complete export of an hour. An hour has several exports if the first one failed.
 *
 * @param from the beginning of the hour, in epoch milliseconds
 * @returns the folder of the export's manifests, with a slash at the end; undefined if no export is complete
 */
export async function findExport({ s3, bucket, tableName }: ExportBucket, from: number): Promise<string | undefined> {
  for (const folder of await listFolders(s3, bucket, `${exportFolder(tableName, new Date(from))}AWSDynamoDB/`)) {
    // DynamoDB writes this manifest last.
    const manifest = { Bucket: bucket, Prefix: `${folder}manifest-summary.json`, MaxKeys: 1 };
    const { KeyCount } = await s3.send(new ListObjectsV2Command(manifest));
    if (KeyCount) return folder;
  }
  return undefined;
}

async function listFolders(s3: S3Client, bucket: string, prefix: string): Promise<string[]> {
  const { CommonPrefixes = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, Delimiter: "/" }),
  );
  return CommonPrefixes.map(({ Prefix = "" }) => Prefix);
}
