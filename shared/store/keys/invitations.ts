import type { Key } from "./key.ts";

/** The people that a CRB's creation invites. */
export function invitationsKey(crbId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: "INVITATIONS" };
}

/** How far the sending of an invitation is. */
export function invitationKey(crbId: string, invitationId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: `INVITATION#${invitationId}` };
}

/** The tokens of an invitation that are good, in a partition of its own: by it alone a request is authorized. */
export function invitationTokenKey(invitationId: string): Key {
  return { pk: `INVITATION_TOKEN#${invitationId}`, sk: "TOKEN" };
}

/**
 * Leads from an address of electronic mail to a CRB for which it is invited.
 *
 * @param address its digest, see `addressDigest`
 */
export function invitedAddressKey(address: string, crbId: string): Key {
  return { pk: `INVITED_ADDRESS#${address}`, sk: crbId };
}

/**
 * The requests for links that were answered for an address on a UTC day (yyyy-MM-dd).
 *
 * @param address its digest
 */
export function linkRequestsKey(address: string, day: string): Key {
  return { pk: `LINK_REQUESTS#${address}`, sk: day };
}

/** A notice that a CRB's users are to be sent. */
export function noticeKey(crbId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: "NOTICE" };
}

/** A CRB whose invitations are not all sent. */
export function unsentInvitationsKey(crbId: string): Key {
  return { pk: "UNSENT_INVITATIONS", sk: crbId };
}

/** How many invitation mails were asked for on a UTC day (yyyy-MM-dd) for a service provider. */
export function invitationMailsKey(serviceProviderId: string, day: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#INVITATION_MAILS`, sk: day };
}
