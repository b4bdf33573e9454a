import { gunzipSync } from "node:zlib";
import { S3ServiceException } from "@aws-sdk/client-s3";
import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { mapInGroups } from "../../shared/store/mapInGroups.ts";
import { StageError } from "../cli/stageError.ts";
import type { AccessLogStore } from "./accessLines.ts";

/**
 * Key prefixes of the objects with delivered lines, and of the objects with records that Firehose could not process. In
 * a key, the UTC day of arrival follows the prefix.
 */
export const deliveredFolder = "access/";
export const failedFolder = "failed/";

/** Objects that are read in parallel. */
const maxReads = 16;

/**
 * The access log of a stage on AWS. An object holds the lines that CloudWatch Logs sent within some minutes. It is
 * compressed with gzip, and each of its lines is one record of a subscription filter.
 *
 * @throws StageError if the bucket cannot be read
 */
export function accessObjects(bucket: Bucket): AccessLogStore {
  return {
    async *read(days, wanted) {
      try {
        for (const day of days) {
          for await (const keys of pagesOf(bucket, `${deliveredFolder}${day}/`)) {
            const read = (key: string) => readObject(bucket, key, wanted);
            for await (const parts of mapInGroups(keys, maxReads, read)) {
              for (const part of parts) yield { day, ...part };
            }
          }
          for await (const failed of pagesOf(bucket, `${failedFolder}${day}/`))
            yield { day, lines: [], unreadable: failed.length };
        }
      } catch (error) {
        if (!(error instanceof S3ServiceException)) throw error;
        throw new StageError(
          `Cannot read the access log in ${bucket.name} (${error.name}): check AWS_REGION and the permissions s3:ListBucket, s3:GetObject and kms:Decrypt.`,
        );
      }
    },
  };
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
  const lines: string[] = [];
  const bytes = await bucket.readBytes(key);
  try {
    let unreadable = 0;
    for (const record of gunzipSync(bytes).toString().split("\n")) {
      if (record === "" || !wanted(record)) continue;
      const messages = messagesOf(record);
      if (messages) lines.push(...messages.filter(wanted));
      else unreadable++;
    }
    return { lines, unreadable };
  } catch {
    return { lines, unreadable: 1 };
  }
}

/** The log lines in a record of a subscription filter; undefined if the text is not such a record. */
function messagesOf(record: string): string[] | undefined {
  try {
    const { logEvents }: { logEvents: { message: string }[] } = JSON.parse(record);
    return logEvents.map(({ message }) => message);
  } catch {
    return undefined;
  }
}
