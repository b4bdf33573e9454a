import { ServiceError } from "../api/errors.ts";
import type { Table } from "../table/client.ts";
import type { Bucket } from "./bucket.ts";
import { sweep } from "./removals.ts";
import type { StoredDocument } from "./storedDocument.ts";
import { readUploads } from "./uploads.ts";

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
  await doAll([
    ...uploads.map(
      ({ storage_key }) =>
        () =>
          bucket.endUpload(storage_key),
    ),
    ...kept.map(
      ({ record }) =>
        () =>
          bucket.endDownload(record.storage_key),
    ),
  ]);
  // What was deleted and, since somebody was cut off, is still there.
  const { failed } = await sweep(table, bucket, new Date(), crbId);
  if (failed > 0) throw new ServiceError("unavailable");
  return { uploads: uploads.length, documents: kept.length };
}

/** Does everything, also when some of it fails; then that failure is told. */
async function doAll(all: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (let i = 0; i < all.length; i += atOnce) {
    const done = await Promise.allSettled(all.slice(i, i + atOnce).map((one) => one()));
    failures.push(...done.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
