import { createHash } from "node:crypto";
import type { Key } from "./key.ts";

/** Digest of a text that callers choose, so that keys have a fixed length and characters. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

export const credentialKey = (clientId: string): Key => ({ pk: `CREDENTIAL#${clientId}`, sk: "CREDENTIAL" });

/** A credential that a service provider owns or has issued. */
export const credentialListKey = (serviceProviderId: string, clientId: string): Key => ({
  pk: `SERVICE_PROVIDER#${serviceProviderId}#CREDENTIAL`,
  sk: clientId,
});

export const credentialExpiryPartition = "CREDENTIAL_EXPIRY";
export const credentialNoticePartition = "CREDENTIAL_NOTICE";

/**
 * A service provider's credential that expires. The sweeper ends it and removes the item.
 *
 * @param expiresAt ISO 8601 UTC, so that the range keys sort by time
 */
export const credentialExpiryKey = (expiresAt: string, clientId: string): Key => ({
  pk: credentialExpiryPartition,
  sk: `${expiresAt}#${clientId}`,
});

/**
 * A notice of a credential's expiry. The sweeper sends it and removes the item.
 *
 * @param due when it must be sent, ISO 8601 UTC, so that the range keys sort by time
 */
export const credentialNoticeKey = (due: string, clientId: string): Key => ({
  pk: credentialNoticePartition,
  sk: `${due}#${clientId}`,
});

/** The client id in a range key of `credentialExpiryKey` or `credentialNoticeKey`. */
export const parseDatedCredentialKey = (sk: string): string => sk.slice(sk.indexOf("#") + 1);

/** Tokens are apart from credentials: the token exchange, which anyone may call, needs no permission to write these. */
const tokenItem = (clientId: string, sk: string): Key => ({ pk: `ACCESS_TOKENS#${clientId}`, sk });

/** @param digest SHA-256 of the access token, hexadecimal */
export const tokenKey = (clientId: string, digest: string): Key => tokenItem(clientId, `TOKEN#${digest}`);

/**
 * The number of access tokens issued for a credential, by minute of issue.
 *
 * @param sub the person's id, to count the tokens of one person; undefined for a program
 */
export const tokenCountKey = (clientId: string, sub?: string): Key =>
  tokenItem(clientId, sub === undefined ? "COUNT" : `COUNT#${digestOf(sub)}`);

/** An assertion that was exchanged for a token, so that it cannot be exchanged again. */
export const usedAssertionKey = (clientId: string, assertionId: string): Key =>
  tokenItem(clientId, `USED#${digestOf(assertionId)}`);

const identityProvider = (spId: string, sk: string): Key => ({ pk: `SERVICE_PROVIDER#${spId}#IDENTITY_PROVIDER`, sk });

/** The settings of a service provider's identity provider. The token exchange cannot write items of this partition. */
export const identityProviderKey = (serviceProviderId: string): Key => identityProvider(serviceProviderId, "SETTINGS");

export const endedPersonPrefix = "ENDED#";

/** A person whose access the operator has ended. */
export const endedPersonKey = (serviceProviderId: string, sub: string): Key =>
  identityProvider(serviceProviderId, `${endedPersonPrefix}${digestOf(sub)}`);

export const personKey = (serviceProviderId: string, sub: string): Key => ({
  pk: `SERVICE_PROVIDER#${serviceProviderId}#PERSON`,
  sk: digestOf(sub),
});

export const shortNameKey = (shortName: string): Key => ({ pk: `SIGN_IN#${shortName}`, sk: "SIGN_IN" });

/** The service provider whose identity provider has an issuer and a client id there. */
export const issuerKey = (issuer: string, clientId: string): Key => ({
  pk: `ISSUER#${digestOf(`${issuer}\n${clientId}`)}`,
  sk: "ISSUER",
});

// The following items have partitions of their own, because functions that write them must not be able to change credentials.

/** The last UTC day on which a credential was used. */
export const credentialUseKey = (clientId: string): Key => ({ pk: `CREDENTIAL_USE#${clientId}`, sk: "USE" });

/** The number of a credential's requests to one operation on a UTC day (yyyy-MM-dd). */
export const rateLimitKey = (clientId: string, operationId: string, day: string): Key => ({
  pk: `ALLOWANCE#${clientId}`,
  sk: `${operationId}#${day}`,
});

/**
 * The number of POS credentials that the service checked for a caller on a UTC day (yyyy-MM-dd).
 *
 * @param callerId client id of a credential; for invited users the CRB id
 */
export const posChecksKey = (callerId: string, day: string): Key => ({ pk: `POS_CHECKS#${callerId}`, sk: day });

/** Like `posChecksKey`, but one number for the invited users of all CRBs that a credential created. */
export const posChecksOfInvitedKey = (clientId: string, day: string): Key => posChecksKey(`INVITED#${clientId}`, day);

/** The valid credentials that a service provider has issued for a CRB. */
export const issuedCredentialsKey = (serviceProviderId: string, crbId: string): Key => ({
  pk: `SERVICE_PROVIDER#${serviceProviderId}#CRB_CREDENTIALS`,
  sk: crbId,
});
