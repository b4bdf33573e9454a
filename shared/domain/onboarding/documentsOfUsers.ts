import { conflict } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import type { StoredDocument } from "../documents/storedDocument.ts";
import type { Upload } from "../documents/uploads.ts";
import { readInvitations } from "../invitations/invitations.ts";

/**
 * Maximum number of documents that the users of a CRB may add together, including deleted documents. At 5 MiB each, these
 * documents take at most 1,000 MiB. Uploads in progress count for other uploads only, and their files take as much again
 * until they are removed. The limit restricts how much data can be stored with a leaked invitation link.
 */
const maxByUsers = 200;

/** The ids of the invitations of a CRB. */
export const idsOfUsers = async (table: Table, crbId: string): Promise<ReadonlySet<string>> =>
  new Set((await readInvitations(table, crbId)).map(({ id }) => id));

/**
 * Loads the limit on documents of a CRB's users. The limit does not apply to the service provider.
 *
 * @param by `client_id` of a credential, or id of an invitation
 * @returns a function that receives all documents of the CRB (including deleted ones) and the uploads in progress. It
 *   throws ServiceError "conflict" if the users have reached the limit
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
    throw conflict(
      "document_limit",
      `Invited users have added ${maxByUsers} documents, including deleted ones, which is the maximum. Contact the service provider.`,
    );
  };
}

/**
 * Loads the rule for deletions by users: a user may delete only documents that users of the CRB added and that wait for
 * review (docs/spec.md#work-of-invited-users).
 *
 * @returns a function that throws ServiceError "conflict" for any other document
 */
export async function deletableByUsers(table: Table, crbId: string): Promise<(document: StoredDocument) => void> {
  const users = await idsOfUsers(table, crbId);
  return ({ record, review }) => {
    if (!users.has(record.uploaded_by)) {
      throw conflict("document_of_provider", "Invited users can delete only documents that invited users added.");
    }
    if (review.status !== "pending")
      throw conflict(
        "status_not_allowed",
        `A document with status ${review.status} cannot be deleted, only one with status pending.`,
      );
  };
}
