import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { conflict } from "../../api/errors.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import { exists, type Table } from "../../store/client.ts";
import type { Key } from "../../store/keys/key.ts";
import { documentList } from "../../store/keys/orderedLists.ts";
import { currentDay, loadOrderState } from "../../store/orderedList/orderState.ts";
import { planMoves } from "../../store/orderedList/planMoves.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Upload } from "../documents/uploads.ts";
import { changeRequirement, type RequirementView } from "./changeRequirement.ts";
import { loadUserDocumentLimit } from "./documentsOfUsers.ts";

/** A document whose object is stored. */
interface NewDocument {
  id: string;
  crbId: string;
  requirementId: string;
  fileName: string;
  storageKey: string;
  /** `client_id` of the uploading credential. */
  uploadedBy: string;
  /** The object's planned removal, which ends with this. */
  intent: Key;
}

/**
 * What may be added to requirements of a CRB.
 *
 * @param by who adds: `client_id` of a credential, or id of an invitation
 * @returns throws ServiceError "conflict" for a requirement that is no longer asked for (docs/spec.md#adding-a-document), and for a user who adds too
 *   much; given the uploads under way, these count
 */
export async function permittedAdditions(
  table: Table,
  crbId: string,
  by: string,
): Promise<(view: RequirementView, uploads?: readonly Upload[]) => void> {
  const bound = await loadUserDocumentLimit(table, crbId, by);
  return ({ requirement, ofCrb }, uploads) => {
    if (requirement.archived) throw conflict("The requirement is archived.");
    bound(ofCrb, uploads);
  };
}

/**
 * Makes the record of a stored document, last in order of all that is done for it; one of this id that exists is left.
 *
 * @param planMore what else is to be stored with it or not at all; asked for at every attempt
 * @returns the requirement with it
 * @throws ServiceError "notFound" for an unknown requirement, "conflict" for an archived one, and for a user who has added
 * too much; what `planMore` throws
 */
export async function addDocument(
  table: Table,
  added: NewDocument,
  planMore: () => Promise<TransactWriteItem[]> = async () => [],
  clock: Clock = systemClock,
): Promise<Requirement> {
  const { id, crbId, requirementId, uploadedBy } = added;
  const list = documentList(crbId);
  const permit = await permittedAdditions(table, crbId, uploadedBy);
  return changeRequirement(
    table,
    { crbId, requirementId, by: uploadedBy },
    async (view) => {
      if (view.documents.some(({ record }) => record.id === id)) return undefined;
      permit(view);
      const more = await planMore();
      const places = await loadOrderState(table, list.orders.rank);
      const moved = planMoves(table, places, [{ to: currentDay(places, view.now) }], view.now);
      const record = {
        id,
        org_id: crbId,
        storage_key: added.storageKey,
        file_name: added.fileName,
        uploaded_by: uploadedBy,
        upload_date: view.now.toISOString(),
        deleted: false,
      };
      return {
        document: { record, requirementId, review: { status: "pending" }, rank: moved.ranks[0] ?? "" },
        alsoWrite: [table.deleteWrite(added.intent, exists), ...moved.writes, ...more],
      };
    },
    clock,
  );
}
