import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { conflict } from "../../api/errors.ts";
import { type PersonName, toPerson } from "../../api/schemas/person.ts";
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

/** A document whose file is stored. */
interface NewDocument {
  id: string;
  crbId: string;
  requirementId: string;
  fileName: string;
  /** The name to show; the file name if undefined. */
  friendlyName?: string | undefined;
  storageKey: string;
  /** `client_id` of the uploading credential. */
  uploadedBy: string;
  /** The uploading person; null or undefined for programs and invited users. */
  uploadedByPerson?: PersonName | null | undefined;
  /** The file's planned removal. Adding the document cancels it. */
  intent: Key;
}

/**
 * Loads the limits on adding documents to a CRB.
 *
 * @param by `client_id` of a credential, or id of an invitation
 * @returns a function that throws ServiceError "conflict" for an archived requirement (docs/spec.md#adding-a-document),
 *   and for a user at the limit. Uploads in progress count toward the limit if the caller passes them
 */
export async function permittedAdditions(
  table: Table,
  crbId: string,
  by: string,
): Promise<(view: RequirementView, uploads?: readonly Upload[]) => void> {
  const bound = await loadUserDocumentLimit(table, crbId, by);
  return ({ requirement, ofCrb }, uploads) => {
    if (requirement.archived)
      throw conflict("requirement_archived", "The requirement is archived and takes no documents.");
    bound(ofCrb, uploads);
  };
}

/**
 * Stores the record of an uploaded document, as the last step of adding it. Does nothing if the record exists.
 *
 * @param planMore returns further writes for the transaction; called once per attempt
 * @returns the requirement with the document
 * @throws ServiceError "notFound" for an unknown requirement; "conflict" for an archived one, and for a user at the
 *   limit; errors of `planMore`
 */
export async function addDocument(
  table: Table,
  added: NewDocument,
  planMore: () => Promise<TransactWriteItem[]> = async () => [],
  clock: Clock = systemClock,
): Promise<Requirement> {
  const { id, crbId, requirementId, uploadedBy } = added;
  const person = toPerson(added.uploadedByPerson);
  const list = documentList(crbId);
  const permit = await permittedAdditions(table, crbId, uploadedBy);
  return changeRequirement(
    table,
    { crbId, requirementId, by: uploadedBy, person },
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
        uploaded_by_person: person,
        upload_date: view.now.toISOString(),
        deleted: false,
      };
      const { friendlyName } = added;
      const review = { status: "pending" as const, ...(friendlyName !== undefined && { friendly_name: friendlyName }) };
      return {
        document: { record, requirementId, review, rank: moved.ranks[0] ?? "" },
        alsoWrite: [table.deleteWrite(added.intent, exists), ...moved.writes, ...more],
      };
    },
    clock,
  );
}
