import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { ServiceError } from "../../api/errors.ts";
import type { IdentityProviderSettings } from "../../api/schemas/identityProvider.ts";
import type { UsedAssertion } from "../../auth/credentials.ts";
import { rejectedAssertion } from "../../auth/tokens.ts";
import { withoutInvisible } from "../../text/invisible.ts";
import { findProviderKey } from "./providerKeys.ts";

/** Asymmetric algorithms only: with HMAC, the public key would be the secret. */
export const algorithms: readonly string[] = ["RS256", "ES256", "PS256"];
/** Seconds after its issue in which an ID token can be exchanged. */
const maxAgeSeconds = 600;
/** Seconds by which the clocks of the service and of the signer of a token may differ. */
export const clockToleranceSeconds = 60;
/** The maximum length of `sub` and `name`. */
const maxLength = 255;

/** A verified ID token. */
export interface IdToken {
  sub: string;
  /** null if the token has none. */
  name: string | null;
  claims: JWTPayload;
  used: UsedAssertion;
}

/**
 * Verifies an ID token of an identity provider (docs/spec.md#sign-in-of-persons).
 *
 * @param now the current time
 * @throws ServiceError "unauthorized" with the reason, without a value of the token; "unavailable" if the identity provider
 * cannot be read
 */
export async function verifyIdToken(
  assertion: string,
  { issuer, client_id: clientId }: Pick<IdentityProviderSettings, "issuer" | "client_id">,
  now: Date,
): Promise<IdToken> {
  requireOwn(assertion, issuer, clientId);
  const options = {
    algorithms: [...algorithms],
    issuer,
    audience: clientId,
    maxTokenAge: maxAgeSeconds,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp", "iat", "sub"],
    currentDate: now,
  };
  const { payload } = await jwtVerify(assertion, findProviderKey(issuer, now.getTime()), options).catch((error) => {
    throw error instanceof ServiceError ? error : rejectedAssertion(reasonOf(error));
  });
  const { sub, name, aud, azp, iat = 0 } = payload;
  if (typeof sub !== "string" || sub === "" || sub.length > maxLength)
    throw rejectedAssertion(`sub must be a text of 1 to ${maxLength} characters`);
  // OpenID Connect Core 1.0, section 3.1.3.7: a token for several applications names the one that it was issued to.
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId)
    throw rejectedAssertion("azp must be the client_id of the identity provider's settings");
  const used = { id: signedPart(assertion), expires: iat + maxAgeSeconds + clockToleranceSeconds };
  return { sub, name: nameOf(name), claims: payload, used };
}

/**
 * The part of a token that identifies it. The signature does not: the same token has several valid ones with ES256.
 */
const signedPart = (assertion: string): string => assertion.slice(0, assertion.lastIndexOf("."));

/** Rejects a token that is not for this service before the identity provider is read: strangers can send any text. */
function requireOwn(assertion: string, issuer: string, clientId: string): void {
  try {
    const { alg } = decodeProtectedHeader(assertion);
    const { iss, aud } = decodeJwt(assertion);
    if (!algorithms.includes(alg ?? "")) throw rejectedAssertion(`alg must be one of ${algorithms.join(", ")}`);
    if (iss !== issuer) throw rejectedAssertion("iss must be the issuer of the identity provider's settings");
    if (![aud].flat().includes(clientId))
      throw rejectedAssertion("aud must be the client_id of the identity provider's settings");
  } catch (error) {
    throw error instanceof ServiceError ? error : rejectedAssertion("it is no signed JWT");
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired && error.claim === "iat")
    return `it was issued more than ${maxAgeSeconds / 60} minutes ago. Sign in again`;
  if (error instanceof errors.JWTExpired) return "it has expired. Sign in again";
  if (error instanceof errors.JWTClaimValidationFailed) return `the claim ${error.claim} is missing or not valid`;
  if (error instanceof errors.JWKSNoMatchingKey)
    return "the identity provider has published no key with its kid. If the key is new, try again in a minute";
  return "its signature is not valid";
}

/** The name to show: without invisible characters, with which a name can imitate another one. */
function nameOf(name: unknown): string | null {
  if (name === undefined || name === null) return null;
  if (typeof name !== "string" || name.length > maxLength)
    throw rejectedAssertion(`name must be a text of at most ${maxLength} characters`);
  return withoutInvisible(name).trim() || null;
}
