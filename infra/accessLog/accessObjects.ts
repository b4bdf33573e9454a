import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { ListObjectsV2Command, PutObjectCommand, S3ServiceException } from "@aws-sdk/client-s3";
import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { mapInGroups } from "../../shared/store/mapInGroups.ts";
import { utcDay } from "../../shared/time/clock.ts";
import { StageError } from "../cli/stageError.ts";
import { type AccessLogStore, deliveredFolder, failedFolder, formatAccessLine } from "./accessLines.ts";

/** Objects that are read in parallel. */
const maxReads = 16;

/**
 * The access log of a stage on AWS. An object holds lines that arrived within some minutes, compressed with gzip.
 *
 * @throws StageError if the bucket cannot be read
 */
export function accessObjects(bucket: Bucket): AccessLogStore {
  return {
    folders: () => readable(bucket, () => listFolders(bucket)),
    async *read(folder, days, wanted) {
      for (const day of days) {
        const pages = pagesOf(bucket, `${deliveredFolder}${folder}/${day}/`);
        for (;;) {
          const { done, value: keys } = await readable(bucket, () => pages.next());
          if (done) break;
          for await (const parts of mapInGroups(keys, maxReads, (key) =>
            readable(bucket, () => readObject(bucket, key, wanted)),
          ))
            for (const part of parts) yield { day, ...part };
        }
      }
    },
    async countFailed(days) {
      let failed = 0;
      for (const day of days) {
        const pages = pagesOf(bucket, `${failedFolder}${day}/`);
        await readable(bucket, async () => {
          for await (const keys of pages) failed += keys.length;
        });
      }
      return failed;
    },
    async append(entry) {
      const key = `${deliveredFolder}${entry.sp_id}/${utcDay(new Date(entry.time))}/${randomUUID()}.gz`;
      const Body = gzipSync(`${formatAccessLine(entry)}\n`);
      // Object Lock requires a checksum. The policy of the bucket denies replacing an object.
      const command = new PutObjectCommand({
        ...{ Bucket: bucket.name, Key: key, Body },
        ...{ IfNoneMatch: "*", ChecksumAlgorithm: "SHA256" },
      });
      try {
        await bucket.client.send(command);
      } catch (error) {
        throw new StageError(
          `Cannot write to the access log in ${bucket.name} (${(error as Error).name}), so the command did not run: check AWS_REGION and the permissions s3:PutObject below ${deliveredFolder}${entry.sp_id}/ and kms:GenerateDataKey.`,
        );
      }
    },
  };
}

/** @throws StageError if S3 rejects a request */
async function readable<T>(bucket: Bucket, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    throw new StageError(
      `Cannot read the access log in ${bucket.name} (${error.name}): check AWS_REGION and the permissions s3:ListBucket, s3:GetObject and kms:Decrypt.`,
    );
  }
}

/** The folders below `deliveredFolder`, without the slash at their end. */
async function listFolders(bucket: Bucket): Promise<string[]> {
  const folders: string[] = [];
  let token: string | undefined;
  do {
    const page = await bucket.client.send(
      new ListObjectsV2Command({
        ...{ Bucket: bucket.name, Prefix: deliveredFolder, Delimiter: "/" },
        ...(token && { ContinuationToken: token }),
      }),
    );
    for (const { Prefix = "" } of page.CommonPrefixes ?? []) folders.push(Prefix.slice(deliveredFolder.length, -1));
    token = page.NextContinuationToken;
  } while (token);
  return folders;
}

async function* pagesOf(bucket: Bucket, prefix: string): AsyncGenerator<string[]> {
  let last: string | undefined;
  for (;;) {
    const keys = (await bucket.list(prefix, last)).map(({ key }) => key);
    if (keys.length === 0) return;
    yield keys;
    last = keys.at(-1);
  }
}

async function readObject(bucket: Bucket, key: string, wanted: (text: string) => boolean) {
  const bytes = await bucket.readBytes(key);
  try {
    return {
      lines: gunzipSync(bytes)
        .toString()
        .split("\n")
        .filter((line) => line !== "" && wanted(line)),
      unreadable: 0,
    };
  } catch {
    return { lines: [], unreadable: 1 };
  }
}
