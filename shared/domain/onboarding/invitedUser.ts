import { forbidden } from "../../api/errors.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import type { Principal } from "../../auth/credentials.ts";

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

/** A requirement as the principal may see it. Only the service provider sees its internal notes on documents. */
export function requirementFor(
  { owner }: Pick<Principal, "owner">,
  { documents, ...requirement }: Requirement,
): Requirement {
  if (owner.kind !== "invitedUser") return { ...requirement, ...(documents && { documents }) };
  const shown = documents?.map(({ internal_note, ...document }) => document);
  return { ...requirement, ...(shown && { documents: shown }) };
}
