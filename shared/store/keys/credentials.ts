import type { Key } from "./key.ts";

export function credentialKey(clientId: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: "CREDENTIAL" };
}

/**
 * Lists a credential under the service provider that owns or issued it. The id comes last, so that a query finds all of
 * them.
 */
export function credentialListKey(serviceProviderId: string, clientId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CREDENTIAL`, sk: clientId };
}

/**
 * An access token of a credential. Tokens have their own partition, so that the token exchange, which anyone may call,
 * needs no permission to write credentials.
 *
 * @param digest SHA-256 of the token, hexadecimal
 */
export function tokenKey(clientId: string, digest: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: `TOKEN#${digest}` };
}

/** The number of access tokens made from a credential, with their time. */
export function tokenCountKey(clientId: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: "COUNT" };
}

/**
 * The last UTC day on which a credential was used. It has its own partition: every function may write it, but none of
 * them may therefore change a credential.
 */
export function credentialUseKey(clientId: string): Key {
  return { pk: `CREDENTIAL_USE#${clientId}`, sk: "USE" };
}

/**
 * The number of a credential's requests of one kind on a UTC day (yyyy-MM-dd). It has its own partition, because a
 * function that counts requests may not change credentials.
 */
export function rateLimitKey(clientId: string, operationId: string, day: string): Key {
  return { pk: `ALLOWANCE#${clientId}`, sk: `${operationId}#${day}` };
}

/**
 * The number of POS credentials that a caller had checked on a UTC day (yyyy-MM-dd).
 *
 * @param callerId client id of a credential; for invited users the CRB id
 */
export function posChecksKey(callerId: string, day: string): Key {
  return { pk: `POS_CHECKS#${callerId}`, sk: day };
}

/** Like `posChecksKey`, for the invited users of all CRBs that a credential created. */
export const posChecksOfInvitedKey = (clientId: string, day: string): Key => posChecksKey(`INVITED#${clientId}`, day);

/** The valid credentials that a service provider has issued for a CRB. */
export function issuedCredentialsKey(serviceProviderId: string, crbId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CRB_CREDENTIALS`, sk: crbId };
}
