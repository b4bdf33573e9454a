import type { Key } from "./key.ts";

/** The people whom the service invited when the CRB was created. */
export function invitationsKey(crbId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: "INVITATIONS" };
}

/** The progress of sending an invitation. */
export function invitationKey(crbId: string, invitationId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: `INVITATION#${invitationId}` };
}

/**
 * The valid tokens of an invitation. They have their own partition, because the authorization of a request may read
 * only the tokens.
 */
export function invitationTokenKey(invitationId: string): Key {
  return { pk: `INVITATION_TOKEN#${invitationId}`, sk: "TOKEN" };
}

/**
 * A CRB to which the owner of an email address is invited.
 *
 * @param address digest of the email address, see `addressDigest`
 */
export function invitedAddressKey(address: string, crbId: string): Key {
  return { pk: `INVITED_ADDRESS#${address}`, sk: crbId };
}

/**
 * The number of requests for a new invitation link that were served for an email address on a UTC day (yyyy-MM-dd).
 *
 * @param address digest of the email address, see `addressDigest`
 */
export function linkRequestsKey(address: string, day: string): Key {
  return { pk: `LINK_REQUESTS#${address}`, sk: day };
}

/** Why the users of a CRB get a notice: consent was given or withdrawn, or documents were not accepted. */
export type NoticeOccasion = "consent" | "withdrawal" | "documents";

/** A pending notice to a CRB's users. */
export function noticeKey(crbId: string, occasion: NoticeOccasion): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: `NOTICE#${occasion}` };
}

/** A CRB with unsent invitations. */
export function unsentInvitationsKey(crbId: string): Key {
  return { pk: "UNSENT_INVITATIONS", sk: crbId };
}

/** The number of invitation mails that were requested for a service provider on a UTC day (yyyy-MM-dd). */
export function invitationMailsKey(serviceProviderId: string, day: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#INVITATION_MAILS`, sk: day };
}
