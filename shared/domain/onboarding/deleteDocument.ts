import { notFound } from "../../api/errors.ts";
import type { PersonName } from "../../api/schemas/person.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import type { Table } from "../../store/client.ts";
import type { Key } from "../../store/keys/key.ts";
import { documentList } from "../../store/keys/orderedLists.ts";
import { loadOrderState } from "../../store/orderedList/orderState.ts";
import { planMoves } from "../../store/orderedList/planMoves.ts";
import type { Bucket } from "../documents/bucket.ts";
import { removalOf, remove } from "../documents/removals.ts";
import type { StoredDocument } from "../documents/storedDocument.ts";
import { changeRequirement } from "./changeRequirement.ts";

/**
 * Deletes a document (docs/spec.md#review-and-deletion). One transaction marks the record as deleted and plans the removal of
 * the file; then the file is removed. After a crash the sweeper removes it.
 *
 * @param by `client_id` of the caller; undefined for an invited user
 * @param person the person who calls; null for a program or an invited user
 * @param permit throws if the caller may not delete the document
 * @returns the requirement afterwards
 * @throws ServiceError "notFound" for an unknown requirement, and for an unknown or deleted document
 */
export async function deleteDocument(
  table: Table,
  bucket: Bucket,
  path: { crb_id: string; requirement_id: string; document_id: string },
  by: string | undefined,
  permit: (document: StoredDocument) => void = () => undefined,
  person: PersonName | null = null,
): Promise<Requirement> {
  let removal: Key | undefined;
  const target = { crbId: path.crb_id, requirementId: path.requirement_id, by, person };
  const requirement = await changeRequirement(table, target, async ({ documents, now }) => {
    const document = documents.find(({ record }) => record.id === path.document_id);
    if (!document) throw notFound("document");
    permit(document);
    removal = removalOf(document.record.storage_key, now);
    // The document keeps its position in the list of documents. `planMoves` returns the writes that record the change
    // in the list.
    const places = await loadOrderState(table, documentList(path.crb_id).orders.rank);
    const { writes } = planMoves(table, places, [{ stays: document.rank }], now);
    return {
      document: {
        ...document,
        record: { ...document.record, deleted: true },
        ...(by !== undefined && { deletedBy: by }),
      },
      alsoWrite: [table.putWrite({ ...removal }), ...writes],
    };
  });
  if (removal) await remove(table, bucket, removal);
  return requirement;
}
