import type { DocumentToReview } from "../../api/schemas/requirement.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import type { Key } from "../../store/keys/key.ts";
import { answersKey } from "../../store/keys/onboarding.ts";
import { documentList, recordKey } from "../../store/keys/orderedLists.ts";
import { requireAllOpen } from "../../store/restoration.ts";
import { isToReview, readDocumentToReviewEntries } from "../documents/documentsToReview.ts";
import { toStoredDocument } from "../documents/storedDocument.ts";
import { toAnswers, toRequirement } from "./answers.ts";

/**
 * Reads a page of the documents that wait for review, the latest upload first (docs/spec.md#documents-to-review). Reads the
 * entries of the whole list, but only the documents of the page.
 *
 * @throws ServiceError "unavailable" while CRBs of the service provider are restored: their entries may be missing
 */
export async function readDocumentsToReview(
  table: Table,
  spId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; documents: DocumentToReview[] }> {
  // Before the entries: a CRB that is open by now has all its entries.
  await requireAllOpen(table, spId);
  const entries = (await readDocumentToReviewEntries(table, spId)).reverse();
  const crbIds = [...new Set(entries.map(({ crbId }) => crbId))];
  // An association can end before its entries are removed.
  const associated = await table.batchGet(
    crbIds.map((id) => associationKey(spId, id)),
    { consistent: true, attributes: [] },
  );
  let waiting = entries.filter(({ crbId }) => associated.has(itemId(associationKey(spId, crbId))));
  for (;;) {
    const page = waiting.slice(offset, offset + limit);
    const keys = new Map(
      page.flatMap(({ crbId, documentId }) => keysOf(crbId, documentId).map((key) => [itemId(key), key])),
    );
    const items = await table.batchGet([...keys.values()], { consistent: true });
    const documents = page.flatMap(({ crbId, documentId }) => toDocumentToReview(items, crbId, documentId) ?? []);
    if (documents.length > 0 || page.length === 0) return { total: waiting.length, documents };
    // Clients treat an empty page as the end of the list. A page whose documents have all left the list is therefore skipped.
    waiting = waiting.toSpliced(offset, limit);
  }
}

/** The keys of the items from which a record of the list is computed. */
const keysOf = (crbId: string, documentId: string): Key[] => [
  crbKey(crbId),
  answersKey(crbId),
  recordKey(documentList(crbId), documentId),
];

/** Returns undefined if the document no longer waits for review, or a purge has removed an item. */
function toDocumentToReview(
  items: ReadonlyMap<string, Item>,
  crbId: string,
  documentId: string,
): DocumentToReview | undefined {
  const [crb, answersItem, item] = keysOf(crbId, documentId).map((key) => items.get(itemId(key)));
  if (!crb || !answersItem || !item) return undefined;
  const stored = toStoredDocument(item);
  const requirement = toAnswers(answersItem).requirements.find((one) => one.requirement_id === stored.requirementId);
  if (!requirement || !isToReview(stored)) return undefined;
  const [document] = toRequirement(requirement, [stored]).documents ?? [];
  return (
    document && {
      crb_id: crbId,
      crb_name: toCrb(crb).record.name,
      requirement_id: stored.requirementId,
      requirement_name: requirement.name,
      ...(requirement.category && { category: requirement.category }),
      required: requirement.required ?? false,
      document,
    }
  );
}
