import type { Key } from "./key.ts";

export function credentialKey(clientId: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: "CREDENTIAL" };
}

/** Leads from a service provider to a credential that it owns or has issued; the id comes last, so that all can be listed. */
export function credentialListKey(serviceProviderId: string, clientId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CREDENTIAL`, sk: clientId };
}

/**
 * An access token of a credential. Tokens have a partition of their own, so that the token exchange, which anyone may call,
 * needs no permission to write credentials.
 *
 * @param digest SHA-256 of the token, hexadecimal
 */
export function tokenKey(clientId: string, digest: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: `TOKEN#${digest}` };
}

/** How many access tokens were made from a credential, and when. */
export function tokenCountKey(clientId: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: "COUNT" };
}

/**
 * The last UTC day on which a credential was used. It has a partition of its own: every function may write it, and none may
 * therefore change a credential.
 */
export function credentialUseKey(clientId: string): Key {
  return { pk: `CREDENTIAL_USE#${clientId}`, sk: "USE" };
}

/**
 * How often a credential has made requests of a kind on a UTC day (yyyy-MM-dd), in a partition of its own: who counts them
 * may not touch credentials.
 */
export function rateLimitKey(clientId: string, operationId: string, day: string): Key {
  return { pk: `ALLOWANCE#${clientId}`, sk: `${operationId}#${day}` };
}

/**
 * The POS credentials that a caller had checked on a UTC day (yyyy-MM-dd), counted.
 *
 * @param callerId client id of a credential; for invited users the CRB id
 */
export function posChecksKey(callerId: string, day: string): Key {
  return { pk: `POS_CHECKS#${callerId}`, sk: day };
}

/** The same of the invited users of all CRBs that a credential created. */
export const posChecksOfInvitedKey = (clientId: string, day: string): Key => posChecksKey(`INVITED#${clientId}`, day);

/** The credentials that a service provider has issued for a CRB and that are still good. */
export function issuedCredentialsKey(serviceProviderId: string, crbId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CRB_CREDENTIALS`, sk: crbId };
}
