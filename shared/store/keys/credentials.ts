import { createHash } from "node:crypto";
import type { Key } from "./key.ts";

/** Digest of a text that callers choose, so that keys have a fixed length and characters. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

export function credentialKey(clientId: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: "CREDENTIAL" };
}

/**
 * An item in the list of the credentials that a service provider owns or has issued. The range key is the client id, so
 * that one query finds all these credentials.
 */
export function credentialListKey(serviceProviderId: string, clientId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CREDENTIAL`, sk: clientId };
}

/**
 * A service provider's credential that expires, by its expiry, so that the sweeper finds what it must end. The sweeper
 * removes the item.
 *
 * @param expiresAt ISO 8601 UTC, so that the range keys sort by time
 */
export function credentialExpiryKey(expiresAt: string, clientId: string): Key {
  return { pk: credentialExpiryPartition, sk: `${expiresAt}#${clientId}` };
}

export const credentialExpiryPartition = "CREDENTIAL_EXPIRY";

/** The client id in a range key of `credentialExpiryKey` or `credentialNoticeKey`. */
export const parseDatedCredentialKey = (sk: string): string => sk.slice(sk.indexOf("#") + 1);

/**
 * A notice of a credential's expiry that the sweeper sends. The sweeper removes the item.
 *
 * @param due when it must be sent, ISO 8601 UTC, so that the range keys sort by time
 */
export function credentialNoticeKey(due: string, clientId: string): Key {
  return { pk: credentialNoticePartition, sk: `${due}#${clientId}` };
}

export const credentialNoticePartition = "CREDENTIAL_NOTICE";

/**
 * An access token of a credential. Tokens have their own partition, so that the token exchange, which anyone may call,
 * needs no permission to write credentials.
 *
 * @param digest SHA-256 of the token, hexadecimal
 */
export function tokenKey(clientId: string, digest: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: `TOKEN#${digest}` };
}

/**
 * The number of access tokens issued for a credential, by minute of issue.
 *
 * @param sub the person's id, to count the tokens of one person; undefined for a program
 */
export function tokenCountKey(clientId: string, sub?: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: sub === undefined ? "COUNT" : `COUNT#${digestOf(sub)}` };
}

/** An assertion that was exchanged for a token, so that it cannot be exchanged again. */
export function usedAssertionKey(clientId: string, assertionId: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: `USED#${digestOf(assertionId)}` };
}

/** The settings of a service provider's identity provider. */
export function identityProviderKey(serviceProviderId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#IDENTITY_PROVIDER`, sk: "SETTINGS" };
}

/** A person whose access the operator has ended. It is in the partition of the settings, which the token exchange cannot write. */
export function endedPersonKey(serviceProviderId: string, sub: string): Key {
  return { pk: identityProviderKey(serviceProviderId).pk, sk: `${endedPersonPrefix}${digestOf(sub)}` };
}

export const endedPersonPrefix = "ENDED#";

/** The name of a person who signed in. It is apart from the settings, which the token exchange cannot write. */
export function personKey(serviceProviderId: string, sub: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#PERSON`, sk: digestOf(sub) };
}

/** The service provider that uses a short name. */
export function shortNameKey(shortName: string): Key {
  return { pk: `SIGN_IN#${shortName}`, sk: "SIGN_IN" };
}

/** The service provider whose identity provider has an issuer and a client id there. */
export function issuerKey(issuer: string, clientId: string): Key {
  return { pk: `ISSUER#${digestOf(`${issuer}\n${clientId}`)}`, sk: "ISSUER" };
}

/**
 * The last UTC day on which a credential was used. This day has its own partition, because every function may write the
 * day, but not every function may change a credential.
 */
export function credentialUseKey(clientId: string): Key {
  return { pk: `CREDENTIAL_USE#${clientId}`, sk: "USE" };
}

/**
 * The number of a credential's requests to one operation on a UTC day (yyyy-MM-dd). It has its own partition, because a
 * function that counts requests must not be able to change credentials.
 */
export function rateLimitKey(clientId: string, operationId: string, day: string): Key {
  return { pk: `ALLOWANCE#${clientId}`, sk: `${operationId}#${day}` };
}

/**
 * The number of POS credentials that the service checked for a caller on a UTC day (yyyy-MM-dd).
 *
 * @param callerId client id of a credential; for invited users the CRB id
 */
export function posChecksKey(callerId: string, day: string): Key {
  return { pk: `POS_CHECKS#${callerId}`, sk: day };
}

/** Like `posChecksKey`, but one number for the invited users of all CRBs that a credential created. */
export const posChecksOfInvitedKey = (clientId: string, day: string): Key => posChecksKey(`INVITED#${clientId}`, day);

/** The item that lists the valid credentials that a service provider has issued for a CRB. */
export function issuedCredentialsKey(serviceProviderId: string, crbId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CRB_CREDENTIALS`, sk: crbId };
}
