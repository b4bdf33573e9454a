import type { Key } from "./key.ts";

const invitationItem = (crbId: string, sk: string): Key => ({ pk: `INVITATIONS#${crbId}`, sk });

/** The people whom the service invited when the CRB was created. */
export const invitationsKey = (crbId: string): Key => invitationItem(crbId, "INVITATIONS");

export const invitationKey = (crbId: string, invitationId: string): Key =>
  invitationItem(crbId, `INVITATION#${invitationId}`);

/** Why the users of a CRB get a notice: consent was given or withdrawn, or documents were not accepted. */
export type NoticeOccasion = "consent" | "withdrawal" | "documents";

export const noticeKey = (crbId: string, occasion: NoticeOccasion): Key => invitationItem(crbId, `NOTICE#${occasion}`);

/** The valid tokens of an invitation, apart from it: the authorization of a request may read only the tokens. */
export const invitationTokenKey = (invitationId: string): Key => ({
  pk: `INVITATION_TOKEN#${invitationId}`,
  sk: "TOKEN",
});

/**
 * A CRB to which the owner of an email address is invited.
 *
 * @param address digest of the email address, see `addressDigest`
 */
export const invitedAddressKey = (address: string, crbId: string): Key => ({
  pk: `INVITED_ADDRESS#${address}`,
  sk: crbId,
});

/** The requests for a new invitation link that were served for an address (its digest) on a UTC day (yyyy-MM-dd). */
export const linkRequestsKey = (address: string, day: string): Key => ({ pk: `LINK_REQUESTS#${address}`, sk: day });

export const unsentInvitationsKey = (crbId: string): Key => ({ pk: "UNSENT_INVITATIONS", sk: crbId });

/** The number of invitation mails that were requested for a service provider on a UTC day (yyyy-MM-dd). */
export const invitationMailsKey = (serviceProviderId: string, day: string): Key => ({
  pk: `SERVICE_PROVIDER#${serviceProviderId}#INVITATION_MAILS`,
  sk: day,
});
