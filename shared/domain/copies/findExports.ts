import { ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { exportFolder, markEnding, tableFolder } from "./changeFolders.ts";

/** The exports of a table's changes in a bucket. */
export interface ExportBucket {
  /** A client of the bucket's region. */
  s3: S3Client;
  bucket: string;
  /** The table whose changes were exported. */
  tableName: string;
}

/** The hours of a table, in epoch milliseconds and in order. */
export interface ExportedHours {
  /** Those with a folder in the bucket. */
  all: number[];
  /** Those with a mark: the exporter has found them to be complete. */
  complete: Set<number>;
}

/** Lists the hours in the bucket. One response holds all folders and marks. */
export async function listHours({ s3, bucket, tableName }: ExportBucket): Promise<ExportedHours> {
  const folder = tableFolder(tableName);
  const { folders, keys } = await listFolders(s3, bucket, folder);
  const hourOf = (name: string, ending: string) => Date.parse(name.slice(folder.length, -ending.length));
  return {
    all: folders.map((each) => hourOf(each, "/")).sort((one, other) => one - other),
    complete: new Set(keys.filter((key) => key.endsWith(markEnding)).map((key) => hourOf(key, markEnding))),
  };
}

/**
 * Finds the complete export of an hour. An hour has several exports if the first one failed.
 *
 * @param from the beginning of the hour, in epoch milliseconds
 * @returns the folder of the export's manifests, with a slash at the end; undefined if no export is complete
 */
export async function findExport({ s3, bucket, tableName }: ExportBucket, from: number): Promise<string | undefined> {
  const { folders } = await listFolders(s3, bucket, `${exportFolder(tableName, new Date(from))}AWSDynamoDB/`);
  for (const folder of folders) {
    // DynamoDB writes this manifest last.
    const manifest = { Bucket: bucket, Prefix: `${folder}manifest-summary.json`, MaxKeys: 1 };
    const { KeyCount } = await s3.send(new ListObjectsV2Command(manifest));
    if (KeyCount) return folder;
  }
  return undefined;
}

/** The folders and the keys of the objects directly in a folder. */
async function listFolders(s3: S3Client, bucket: string, prefix: string) {
  const { CommonPrefixes = [], Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, Delimiter: "/" }),
  );
  return { folders: CommonPrefixes.map(({ Prefix = "" }) => Prefix), keys: Contents.map(({ Key = "" }) => Key) };
}
