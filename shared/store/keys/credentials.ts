import { digestOf, type Key, key, ofProvider } from "./key.ts";

export const credentialKey = (clientId: string): Key => key(`CREDENTIAL#${clientId}`, "CREDENTIAL");

/** A credential that a service provider owns or has issued. */
export const credentialListKey = (spId: string, clientId: string): Key => key(ofProvider(spId, "CREDENTIAL"), clientId);

export const credentialExpiryPartition = "CREDENTIAL_EXPIRY";
export const credentialNoticePartition = "CREDENTIAL_NOTICE";

/** A service provider's credential that expires. The sweeper ends it and removes the item. */
export const credentialExpiryKey = (expiresAt: string, clientId: string): Key =>
  key(credentialExpiryPartition, expiresAt, clientId);

/** A notice of a credential's expiry, by the time when it must be sent. The sweeper sends it and removes the item. */
export const credentialNoticeKey = (due: string, clientId: string): Key =>
  key(credentialNoticePartition, due, clientId);

/** Tokens are apart from credentials: the token exchange, which anyone may call, needs no permission to write these. */
const tokensPartition = (clientId: string): string => `ACCESS_TOKENS#${clientId}`;

/** @param digest SHA-256 of the access token, hexadecimal */
export const tokenKey = (clientId: string, digest: string): Key => key(tokensPartition(clientId), "TOKEN", digest);

/** The number of a credential's access tokens, by minute of issue. @param sub id of a person; undefined for programs */
export const tokenCountKey = (clientId: string, sub?: string): Key =>
  key(tokensPartition(clientId), "COUNT", ...(sub === undefined ? [] : [digestOf(sub)]));

/** An exchanged assertion. @param ownerId client id of a program, or id of the service provider whose person signed in */
export const usedAssertionKey = (ownerId: string, assertionId: string): Key =>
  key(tokensPartition(ownerId), "USED", digestOf(assertionId));

/** The token exchange cannot write items of this partition. */
const identityProviderPartition = (spId: string): string => ofProvider(spId, "IDENTITY_PROVIDER");

/** The settings of a service provider's identity provider. */
export const identityProviderKey = (spId: string): Key => key(identityProviderPartition(spId), "SETTINGS");

export const endedPersonPrefix = "ENDED#";

/** A person whose access the operator has ended. */
export const endedPersonKey = (spId: string, sub: string): Key =>
  key(identityProviderPartition(spId), `${endedPersonPrefix}${digestOf(sub)}`);

/** When the operator last permitted a person again whose access had ended. */
export const permittedPersonKey = (spId: string, sub: string): Key =>
  key(identityProviderPartition(spId), "PERMITTED", digestOf(sub));

export const personKey = (spId: string, sub: string): Key => key(ofProvider(spId, "PERSON"), digestOf(sub));

export const shortNameKey = (shortName: string): Key => key(`SIGN_IN#${shortName}`, "SIGN_IN");

/** The service provider whose identity provider has an issuer and a client id there. */
export const issuerKey = (issuer: string, clientId: string): Key =>
  key(`ISSUER#${digestOf(`${issuer}\n${clientId}`)}`, "ISSUER");

// The following items have partitions of their own, because functions that write them must not be able to change credentials.

/** The last UTC day on which a credential was used. */
export const credentialUseKey = (clientId: string): Key => key(`CREDENTIAL_USE#${clientId}`, "USE");

/** The number of a credential's requests to one operation on a UTC day. */
export const rateLimitKey = (clientId: string, operationId: string, day: string): Key =>
  key(`ALLOWANCE#${clientId}`, operationId, day);

/** Number of POS credentials checked for a caller on a UTC day. @param callerId client id; CRB id of invited users */
export const posChecksKey = (callerId: string, day: string): Key => key(`POS_CHECKS#${callerId}`, day);

/** Like `posChecksKey`, but one number for the invited users of all CRBs that a credential created. */
export const posChecksOfInvitedKey = (clientId: string, day: string): Key => posChecksKey(`INVITED#${clientId}`, day);

/** The valid credentials that a service provider has issued for a CRB. */
export const issuedCredentialsKey = (spId: string, crbId: string): Key =>
  key(ofProvider(spId, "CRB_CREDENTIALS"), crbId);
