import { conflict } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import type { StoredDocument } from "../documents/storedDocument.ts";
import type { Upload } from "../documents/uploads.ts";
import { readInvitations } from "../invitations/invitations.ts";

/**
 * So many documents the users of a CRB may add in all, deleted ones and uploads under way included: of 5 MiB each at most, 1,000 MiB
 * together. A link of an invitation may come into anybody's hands.
 */
const maxByUsers = 200;

const idsOfUsers = async (table: Table, crbId: string): Promise<ReadonlySet<string>> =>
  new Set((await readInvitations(table, crbId)).map(({ id }) => id));

/**
 * Holds the users of a CRB to what they may add; its service provider is held to nothing.
 *
 * @param by who adds: `client_id` of a credential, or id of an invitation
 * @returns is given all documents of the CRB, deleted ones included, and the uploads under way; throws ServiceError "conflict" where
 *   users have added as many already
 */
export async function loadUserDocumentLimit(
  table: Table,
  crbId: string,
  by: string,
): Promise<(documents: readonly StoredDocument[], uploads?: readonly Pick<Upload, "uploaded_by">[]) => void> {
  const users = await idsOfUsers(table, crbId);
  return (documents, uploads = []) => {
    if (!users.has(by)) return;
    const added = [...documents.map(({ record }) => record), ...uploads];
    if (added.filter(({ uploaded_by }) => users.has(uploaded_by)).length < maxByUsers) return;
    throw conflict(`Invited users add ${maxByUsers} documents at most, deleted ones included.`);
  };
}

/**
 * Which documents the users of a CRB may delete: those that one of them has added, as long as they wait for their review
 * (docs/spec.md#work-of-invited-users).
 *
 * @returns throws ServiceError "conflict" for any other
 */
export async function deletableByUsers(table: Table, crbId: string): Promise<(document: StoredDocument) => void> {
  const users = await idsOfUsers(table, crbId);
  return ({ record, review }) => {
    if (!users.has(record.uploaded_by)) {
      throw conflict("Only documents that invited users have added are theirs to delete.");
    }
    if (review.status !== "pending") throw conflict(`A document that is ${review.status} cannot be deleted.`);
  };
}
