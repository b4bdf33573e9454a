import { notFound } from "../../api/errors.ts";
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
 * Deletes a document (docs/spec.md#review-and-deletion): its record stays, marked, in one transaction with the plan to remove its object;
 * then the object goes. What is cut off after the transaction is finished by the sweeper.
 *
 * @param by `client_id` of the caller; none for an invited user
 * @param permit throws for a document that the caller may not delete
 * @returns the requirement afterwards
 * @throws ServiceError "notFound" for an unknown requirement, an unknown document or one deleted before
 */
export async function deleteDocument(
  table: Table,
  bucket: Bucket,
  path: { crb_id: string; requirement_id: string; document_id: string },
  by: string | undefined,
  permit: (document: StoredDocument) => void = () => undefined,
): Promise<Requirement> {
  let removal: Key | undefined;
  const target = { crbId: path.crb_id, requirementId: path.requirement_id, by };
  const requirement = await changeRequirement(table, target, async ({ documents, now }) => {
    const document = documents.find(({ record }) => record.id === path.document_id);
    if (!document) throw notFound();
    permit(document);
    removal = removalOf(document.record.storage_key, now);
    // Its place in the list stays the same, and the list tells of the change.
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
