import { conflict } from "../api/errors.ts";
import type { StoredDocument } from "../documents/storedDocument.ts";
import { readInvitations } from "../invitations/invitations.ts";
import type { Table } from "../table/client.ts";

/**
 * Which documents the users of a CRB may delete: those that one of them has added, as long as they wait for their review
 * (contract 14.4).
 *
 * @returns throws ServiceError "conflict" for any other
 */
export async function deletableByUsers(table: Table, crbId: string): Promise<(document: StoredDocument) => void> {
  const users = new Set((await readInvitations(table, crbId)).map(({ id }) => id));
  return ({ record, review }) => {
    if (!users.has(record.uploaded_by)) {
      throw conflict("Only documents that invited users have added are theirs to delete.");
    }
    if (review.status !== "pending") throw conflict(`An ${review.status} document cannot be deleted.`);
  };
}
