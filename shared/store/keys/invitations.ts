import { type Key, key, ofProvider } from "./key.ts";

const invitationsPartition = (crbId: string): string => `INVITATIONS#${crbId}`;

/** The people whom the service invited when the CRB was created. */
export const invitationsKey = (crbId: string): Key => key(invitationsPartition(crbId), "INVITATIONS");

export const invitationKey = (crbId: string, invitationId: string): Key =>
  key(invitationsPartition(crbId), "INVITATION", invitationId);

/** Why the users of a CRB get a notice: consent was given or withdrawn, or documents were not accepted. */
export type NoticeOccasion = "consent" | "withdrawal" | "documents";

export const noticeKey = (crbId: string, occasion: NoticeOccasion): Key =>
  key(invitationsPartition(crbId), "NOTICE", occasion);

/** The valid tokens of an invitation, apart from it: the authorization of a request may read only the tokens. */
export const invitationTokenKey = (invitationId: string): Key => key(`INVITATION_TOKEN#${invitationId}`, "TOKEN");

/** A CRB to which the owner of an address is invited. @param address digest of the email address (`addressDigest`) */
export const invitedAddressKey = (address: string, crbId: string): Key => key(`INVITED_ADDRESS#${address}`, crbId);

/** The requests for a new invitation link that were served for an address (its digest) on a UTC day. */
export const linkRequestsKey = (address: string, day: string): Key => key(`LINK_REQUESTS#${address}`, day);

export const unsentInvitationsKey = (crbId: string): Key => key("UNSENT_INVITATIONS", crbId);

/** The number of invitation mails that were requested for a service provider on a UTC day. */
export const invitationMailsKey = (spId: string, day: string): Key => key(ofProvider(spId, "INVITATION_MAILS"), day);
