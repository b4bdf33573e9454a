import { PutObjectTaggingCommand } from "@aws-sdk/client-s3";
import { ServiceError } from "../../api/errors.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { uploadKey } from "../../store/keys/onboarding.ts";
import { type Bucket, endedTag, fileKey } from "./bucket.ts";
import { sweepRemovals } from "./removals.ts";
import type { StoredDocument } from "./storedDocument.ts";
import { readUploads, type Upload } from "./uploads.ts";

/** The numbers of ended uploads and of documents whose download links were ended. */
export interface EndedLinks {
  uploads: number;
  documents: number;
}

/** The number of objects that are processed in parallel. */
const atOnce = 10;

/**
 * Ends every link to files of a CRB whose association has ended, including links that are being signed now. After a
 * crash, another call completes the work.
 *
 * @param documents all documents of the CRB, read after the end of the association
 * @throws ServiceError "unavailable" if S3 cannot be reached
 */
export async function endLinks(
  table: Table,
  bucket: Bucket,
  crbId: string,
  documents: readonly StoredDocument[],
): Promise<EndedLinks> {
  const uploads = await readUploads(table, crbId);
  const kept = documents.filter(({ record }) => !record.deleted);
  await doAll(uploads, ({ storage_key }) => endUploadLinks(bucket, storage_key));
  const keys = kept.flatMap(({ record }) => [record.storage_key, fileKey(record.storage_key)]);
  await doAll(keys, (key) => endDownloadLinks(bucket, key));
  // Completes interrupted removals of deleted documents.
  const { failed } = await sweepRemovals(table, bucket, new Date(), { crbId });
  if (failed > 0) throw new ServiceError("unavailable");
  return { uploads: uploads.length, documents: kept.length };
}

/** Ends an incomplete upload and its link, and deletes the content that was already sent. */
export async function cancelUpload(
  table: Table,
  bucket: Bucket,
  crbId: string,
  upload: Pick<Upload, "document_id" | "storage_key">,
): Promise<void> {
  // The link ends before the upload is deleted. After a crash between the two writes, another call still finds the
  // upload.
  await endUploadLinks(bucket, upload.storage_key);
  await table.delete(uploadKey(crbId, upload.document_id));
}

/**
 * Overwrites the object of an upload with an empty object. This removes content that was already sent. The links of the
 * upload then store nothing, because they cannot overwrite an object.
 */
const endUploadLinks = (bucket: Bucket, storageKey: string): Promise<void> =>
  bucket.storeBytes(storageKey, new Uint8Array());

/** Tags an object, so that the bucket's policy denies all reads of it. A missing object needs no tag. */
export async function endDownloadLinks({ client, name }: Bucket, storageKey: string): Promise<void> {
  const Tagging = { TagSet: [{ ...endedTag }] };
  try {
    await client.send(new PutObjectTaggingCommand({ Bucket: name, Key: storageKey, Tagging }));
  } catch (error) {
    if ((error as Error).name !== "NoSuchKey") throw error;
  }
}

/** Runs `work` for every item, even after a failure. Then throws the first failure, and has logged the others. */
export async function doAll<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (let i = 0; i < all.length; i += atOnce) {
    const done = await Promise.allSettled(all.slice(i, i + atOnce).map(work));
    failures.push(...done.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])));
  }
  for (const failure of failures.slice(1)) log.error("a further part failed", { error: describeError(failure) });
  if (failures.length > 0) throw failures[0];
}
