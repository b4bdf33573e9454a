import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { DocumentToReview } from "../../api/schemas/requirement.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import type { Key } from "../../store/keys/key.ts";
import {
  answersKey,
  documentIdToReview,
  documentsToReviewPartition,
  documentToReviewKey,
} from "../../store/keys/onboarding.ts";
import { documentList, recordKey } from "../../store/keys/orderedLists.ts";
import { type StoredDocument, toStoredDocument } from "../documents/storedDocument.ts";
import { toAnswers, toRequirement } from "./answers.ts";

const isWaiting = ({ record, review }: Omit<StoredDocument, "version">): boolean =>
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
  return isWaiting(document) ? table.putWrite({ ...key, crb_id: document.record.org_id }) : table.deleteWrite(key);
}

/**
 * Reads a page of the documents that wait for review, the document that was uploaded last first
 * (docs/spec.md#documents-to-review). Reads the entries of the whole list, about 7,000 of which take one MB, and only the
 * documents of the page.
 */
export async function readDocumentsToReview(
  table: Table,
  spId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; documents: DocumentToReview[] }> {
  const entries = (await entriesOf(table, spId)).reverse();
  const crbIds = [...new Set(entries.map(({ crbId }) => crbId))];
  // An association can end before its entries are removed.
  const associated = await table.batchGet(
    crbIds.map((id) => associationKey(spId, id)),
    { attributes: [] },
  );
  const waiting = entries.filter(({ crbId }) => associated.has(itemId(associationKey(spId, crbId))));
  const page = waiting.slice(offset, offset + limit);
  const items = await table.batchGet(page.flatMap(({ crbId, id }) => keysOf(crbId, id)));
  const documents = page.flatMap(({ crbId, id }) => view(items, crbId, id) ?? []);
  return { total: waiting.length, documents };
}

/** The keys of the items that a record of the list is read from. */
const keysOf = (crbId: string, id: string): Key[] => [
  crbKey(crbId),
  answersKey(crbId),
  recordKey(documentList(crbId), id),
];

function view(items: ReadonlyMap<string, Item>, crbId: string, id: string): DocumentToReview | undefined {
  const [crb, answersItem, item] = keysOf(crbId, id).map((key) => items.get(itemId(key)));
  if (!crb || !answersItem || !item) return undefined;
  const stored = toStoredDocument(item);
  const requirement = toAnswers(answersItem).requirements.find((one) => one.requirement_id === stored.requirementId);
  const [document] = (requirement && isWaiting(stored) && toRequirement(requirement, [stored]).documents) || [];
  if (!requirement || !document) return undefined;
  return {
    crb_id: crbId,
    crb_name: toCrb(crb).record.name,
    requirement_id: stored.requirementId,
    requirement_name: requirement.name,
    ...(requirement.category && { category: requirement.category }),
    required: requirement.required ?? false,
    document,
  };
}

/** Removes the entries of a CRB, after its association has ended. */
export async function removeDocumentsToReview(table: Table, spId: string, crbId: string): Promise<number> {
  const entries = (await entriesOf(table, spId)).filter((entry) => entry.crbId === crbId);
  await table.batchDelete(entries.map(({ key }) => key));
  return entries.length;
}

/**
 * Compares the entries of a CRB with its documents, and corrects them unless `isCheck` is set. They can differ in a restored
 * table.
 *
 * @returns the number of missing and of surplus entries
 */
export async function correctDocumentsToReview(
  table: Table,
  { spId, crbId }: { spId: string; crbId: string },
  documents: readonly StoredDocument[],
  isCheck: boolean,
): Promise<{ missingEntries: number; surplusEntries: number }> {
  const waiting = new Map(documents.filter(isWaiting).map(({ record }) => [keyOf(spId, record).sk, record]));
  const entries = (await entriesOf(table, spId)).filter((entry) => entry.crbId === crbId);
  const known = new Set(entries.map(({ key }) => key.sk));
  const missing = [...waiting].filter(([sk]) => !known.has(sk));
  const surplus = entries.filter(({ key }) => !waiting.has(key.sk));
  if (!isCheck) {
    for (const [, record] of missing) await table.put({ ...keyOf(spId, record), crb_id: crbId });
    await table.batchDelete(surplus.map(({ key }) => key));
  }
  return { missingEntries: missing.length, surplusEntries: surplus.length };
}

/** All entries of a service provider, the document that was uploaded first before the others. */
async function entriesOf(table: Table, spId: string) {
  const items = await table.queryPartition(documentsToReviewPartition(spId), { consistent: true });
  return items.map(({ pk, sk, crb_id }) => ({ key: { pk, sk }, id: documentIdToReview(sk), crbId: crb_id as string }));
}
