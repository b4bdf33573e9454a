import { PutObjectCommand, PutObjectTaggingCommand } from "@aws-sdk/client-s3";
import { ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { uploadKey } from "../../store/keys/onboarding.ts";
import { type Bucket, endedTag } from "./bucket.ts";
import { sweepRemovals } from "./removals.ts";
import type { StoredDocument } from "./storedDocument.ts";
import { readUploads, type Upload } from "./uploads.ts";

/** What links of a CRB were ended: uploads, and documents that could be downloaded. */
export interface EndedLinks {
  uploads: number;
  documents: number;
}

/** Objects that are seen to at a time. */
const atOnce = 10;

/**
 * Ends every link to files of a CRB whose association has ended, those also that are being signed in this moment. Cut off,
 * it is finished by being called again.
 *
 * @param documents all of the CRB, as they stood after the end
 * @throws ServiceError "unavailable" when the store cannot be reached
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
  await doAll(kept, ({ record }) => endDownloadLinks(bucket, record.storage_key));
  // What was deleted and, since somebody was cut off, is still there.
  const { failed } = await sweepRemovals(table, bucket, new Date(), crbId);
  if (failed > 0) throw new ServiceError("unavailable");
  return { uploads: uploads.length, documents: kept.length };
}

/** Ends an upload that was never completed, and its link. The sent content is deleted and becomes no document. */
export async function cancelUpload(
  table: Table,
  bucket: Bucket,
  crbId: string,
  upload: Pick<Upload, "document_id" | "storage_key">,
): Promise<void> {
  // In this order: after a crash in between, the upload is still found.
  await endUploadLinks(bucket, upload.storage_key);
  await table.delete(uploadKey(crbId, upload.document_id));
}

/** Puts an empty object in the place of an upload: links to it store nothing where there is one. What came before is gone. */
async function endUploadLinks({ client, name }: Bucket, storageKey: string): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: name, Key: storageKey, Body: new Uint8Array() }));
}

/** Tags an object as one that nobody may read any more; to one that is not there lead no links. */
export async function endDownloadLinks({ client, name }: Bucket, storageKey: string): Promise<void> {
  const Tagging = { TagSet: [{ ...endedTag }] };
  try {
    await client.send(new PutObjectTaggingCommand({ Bucket: name, Key: storageKey, Tagging }));
  } catch (error) {
    if ((error as Error).name !== "NoSuchKey") throw error;
  }
}

/** Does something to all, also when it fails for some; then that failure is told. */
export async function doAll<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (let i = 0; i < all.length; i += atOnce) {
    const done = await Promise.allSettled(all.slice(i, i + atOnce).map(work));
    failures.push(...done.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
