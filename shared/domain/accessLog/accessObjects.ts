import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { ListObjectsV2Command, PutObjectCommand, S3ServiceException } from "@aws-sdk/client-s3";
import { mapInGroups } from "../../store/groups.ts";
import { utcDay } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import {
  type AccessLogStore,
  deliveredFolder,
  digestsFolder,
  failedFolder,
  formatAccessLine,
  type StatementDigest,
} from "./accessLines.ts";

/** Objects that are read in parallel. */
const maxReads = 16;

/**
 * The access log of a stage on AWS. An object holds lines that arrived within some minutes, compressed with gzip.
 *
 * @param toError makes the errors of requests that S3 rejects, from one line for the operator
 */
export function accessObjects(bucket: Bucket, toError: ToError): AccessLogStore {
  const readable = <T>(read: () => Promise<T>) => reading(bucket, read, toError);
  return {
    folders: () => readable(() => listFolders(bucket)),
    async *read(folder, day, wanted) {
      const pages = pagesOf(bucket, `${deliveredFolder}${folder}/${day}/`);
      for (;;) {
        const { done, value: keys } = await readable(() => pages.next());
        if (done) break;
        for await (const parts of mapInGroups(keys, maxReads, (key) => readable(() => readObject(bucket, key, wanted))))
          yield* parts;
      }
    },
    async countFailed(days) {
      let failed = 0;
      for (const day of days) {
        const pages = pagesOf(bucket, `${failedFolder}${day}/`);
        await readable(async () => {
          for await (const keys of pages) failed += keys.length;
        });
      }
      return failed;
    },
    async append(entry) {
      const key = `${deliveredFolder}${entry.sp_id}/${utcDay(new Date(entry.time))}/${randomUUID()}.gz`;
      try {
        await storeLocked(bucket, key, gzipSync(`${formatAccessLine(entry)}\n`));
      } catch (error) {
        throw toError(
          `Cannot write to the access log in ${bucket.name} (${(error as Error).name}), so the command did not run: check AWS_REGION and the permissions s3:PutObject below ${deliveredFolder}${entry.sp_id}/ and kms:GenerateDataKey.`,
        );
      }
    },
    async keepDigest(digest) {
      await storeLocked(bucket, digestKey(digest), JSON.stringify(digest)).catch((error) => {
        // The same digest is stored already.
        if ((error as Error).name !== "PreconditionFailed") throw error;
      });
    },
  };
}

const digestKey = ({ id, sha256 }: StatementDigest): string => `${digestsFolder}${id}/${sha256}.json`;

/** Object Lock requires a checksum. The policy of the bucket denies replacing an object. */
async function storeLocked({ client, name }: Bucket, key: string, body: Uint8Array | string): Promise<void> {
  const object = { Bucket: name, Key: key, Body: body };
  await client.send(new PutObjectCommand({ ...object, IfNoneMatch: "*", ChecksumAlgorithm: "SHA256" }));
}

/** Makes an error from one line for the operator. */
type ToError = (message: string) => Error;

async function reading<T>(bucket: Bucket, read: () => Promise<T>, toError: ToError): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    throw toError(
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
