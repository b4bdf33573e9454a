import { forbidden } from "../../api/errors.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import type { Principal } from "../../auth/credentials.ts";
import type { Table } from "../../store/client.ts";
import { idsOfUsers } from "./documentsOfUsers.ts";

/** The identity in an invited user's token. */
export interface InvitedUser {
  crbId: string;
  spId: string;
  /** The id of the user's invitation. */
  by: string;
}

/** @throws ServiceError "forbidden" if the principal is not an invited user */
export function invitedUser({ owner, spId, clientId }: Principal): InvitedUser {
  if (owner.kind !== "invitedUser")
    throw forbidden("wrong_path_family", "Only an invited user can call this operation.");
  return { crbId: owner.id, spId, by: clientId };
}

/** A requirement as the principal may see it. */
export const requirementFor = async (
  table: Table,
  { owner }: Pick<Principal, "owner">,
  requirement: Requirement,
): Promise<Requirement> =>
  owner.kind === "invitedUser" ? requirementForUser(requirement, await idsOfUsers(table, owner.id)) : requirement;

/**
 * A requirement as an invited user sees it: without internal notes of the service provider, its credentials and its persons.
 *
 * @param users the ids of the invitations of the CRB
 */
export const requirementForUser = (
  { documents, ...requirement }: Requirement,
  users: ReadonlySet<string>,
): Requirement => ({
  ...requirement,
  ...(documents && {
    documents: documents.map(
      ({ internal_note, reviewed_by, reviewed_by_person, uploaded_by: by, uploaded_by_person, ...document }) => ({
        ...document,
        uploaded_by: by !== null && users.has(by) ? by : null,
        uploaded_by_person: null,
      }),
    ),
  }),
});
