import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Table } from "../../store/client.ts";
import type { Key } from "../../store/keys/key.ts";
import { afterTime } from "../../store/keys/key.ts";
import { documentsToReviewPartition, documentToReviewKey } from "../../store/keys/onboarding.ts";
import type { StoredDocument } from "./storedDocument.ts";

// The entries of the documents that wait for review, in the list of their service provider (docs/storage.md).

interface DocumentToReviewEntry {
  key: Key;
  documentId: string;
  crbId: string;
  /** the time of the upload, ISO 8601 UTC */
  uploaded: string;
}

/** Whether a document waits for review. */
export const isToReview = ({ record, review }: Omit<StoredDocument, "version">): boolean =>
  !record.deleted && review.status === "pending";

const keyOf = (spId: string, { id, upload_date }: StoredDocument["record"]): Key =>
  documentToReviewKey(spId, upload_date, id);

/** The write that puts a changed document on the list of documents to review, or takes it off. */
export function documentToReviewWrite(
  table: Table,
  spId: string,
  document: Omit<StoredDocument, "version">,
): TransactWriteItem {
  const key = keyOf(spId, document.record);
  return isToReview(document) ? table.putWrite({ ...key, crb_id: document.record.org_id }) : table.deleteWrite(key);
}

/** Reads all entries of a service provider, the earliest upload first. About 7,000 entries take one MB. */
export async function readDocumentToReviewEntries(table: Table, spId: string): Promise<DocumentToReviewEntry[]> {
  const items = await table.queryPartition(documentsToReviewPartition(spId), { consistent: true });
  return items.map(({ pk, sk, crb_id }) => ({
    key: { pk, sk },
    documentId: afterTime(sk),
    crbId: crb_id as string,
    uploaded: sk.slice(0, sk.indexOf("#")),
  }));
}

/**
 * Removes the entries of a CRB, after its association has ended.
 *
 * @returns the number of removed entries
 */
export async function removeDocumentsToReview(table: Table, spId: string, crbId: string): Promise<number> {
  const entries = await entriesOfCrb(table, spId, crbId);
  await table.batchDelete(entries.map(({ key }) => key));
  return entries.length;
}

/**
 * Compares the entries of a CRB with its documents, and corrects them unless `isCheck` is set. They can differ in a restored
 * table.
 *
 * @returns the number of missing and of stale entries
 */
export async function correctDocumentsToReview(
  table: Table,
  { spId, crbId }: { spId: string; crbId: string },
  documents: readonly StoredDocument[],
  isCheck: boolean,
): Promise<number> {
  const toReview = documents.filter(isToReview).map(({ record }) => keyOf(spId, record));
  const entries = await entriesOfCrb(table, spId, crbId);
  const [expected, stored] = [toReview, entries.map(({ key }) => key)].map((keys) => new Set(keys.map(({ sk }) => sk)));
  const missing = toReview.filter(({ sk }) => !stored?.has(sk));
  const stale = entries.filter(({ key }) => !expected?.has(key.sk));
  if (!isCheck) {
    for (const key of missing) await table.put({ ...key, crb_id: crbId });
    await table.batchDelete(stale.map(({ key }) => key));
  }
  return missing.length + stale.length;
}

const entriesOfCrb = async (table: Table, spId: string, crbId: string) =>
  (await readDocumentToReviewEntries(table, spId)).filter((entry) => entry.crbId === crbId);
