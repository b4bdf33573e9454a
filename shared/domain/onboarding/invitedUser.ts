import { forbidden } from "../../api/errors.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import type { Principal } from "../../auth/credentials.ts";

/** What the token of an invited user names. */
export interface InvitedUser {
  crbId: string;
  spId: string;
  /** Id of the invitation, by which the user is known. */
  by: string;
}

/** The invited user who has been granted access. */
export function invitedUser({ owner, spId, clientId }: Principal): InvitedUser {
  if (owner.kind !== "invitedUser") throw forbidden();
  return { crbId: owner.id, spId, by: clientId };
}

/** A requirement as a caller may see it: notes of the service provider on documents are its own. */
export function requirementFor(
  { owner }: Pick<Principal, "owner">,
  { documents, ...requirement }: Requirement,
): Requirement {
  if (owner.kind !== "invitedUser") return { ...requirement, ...(documents && { documents }) };
  const shown = documents?.map(({ internal_note, ...document }) => document);
  return { ...requirement, ...(shown && { documents: shown }) };
}
