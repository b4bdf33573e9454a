import { createPublicKey } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { ServiceError } from "../../api/errors.ts";
import { UUID } from "../../api/patterns.ts";
import { requireAllowedAddress } from "../../auth/allowedAddresses.ts";
import type { ExchangeOrigin } from "../../auth/authenticateClient.ts";
import { algorithmsOf } from "../../auth/credentialKeys.ts";
import { type CredentialKeys, type Principal, requirePrincipal } from "../../auth/credentials.ts";
import { rejectedAssertion } from "../../auth/tokens.ts";
import type { Table } from "../../store/client.ts";
import { credentialKey } from "../../store/keys/credentials.ts";
import { algorithms, clockToleranceSeconds } from "./verifyIdToken.ts";

/** Seconds until the end of an assertion at most. So a stolen one is soon of no use, and few used ones must be remembered. */
const maxLifeSeconds = 300;
/** The maximum length of `jti`. */
const maxJtiLength = 255;

/**
 * Authenticates a program by an assertion that one of its keys signed (RFC 7523, 2.2; docs/spec.md#keys-of-programs). An assertion
 * that does not name this service and a client costs no read.
 *
 * @param clientId the body's `client_id`
 * @throws ServiceError "unauthorized" with the reason; equal for an unknown client, an ended one, an unknown key and a wrong
 * signature. "forbidden" if the credential may not be used from this address
 */
export async function authenticateProgram(
  table: Table,
  assertion: string,
  clientId: string | undefined,
  { address, endpoint }: ExchangeOrigin,
): Promise<Principal> {
  const { iss, kid } = readAssertion(assertion, clientId, endpoint);
  const item = await table.get(credentialKey(iss.toLowerCase()), { consistent: true });
  const keys = Object.entries((item as { public_keys?: CredentialKeys } | undefined)?.public_keys ?? {});
  const found = keys.find(([, key]) => (kid === undefined ? keys.length === 1 : key.kid === kid));
  if (!found) throw unverified();
  const [thumbprint, key] = found;
  const now = table.clock.now();
  const options = {
    algorithms: [...algorithmsOf(key)],
    issuer: iss,
    subject: iss,
    audience: endpoint,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp", "jti"],
    currentDate: now,
  };
  const publicKey = createPublicKey({ key: key.jwk, format: "jwk" });
  const { payload } = await jwtVerify(assertion, publicKey, options).catch((error) => {
    throw rejectionOf(error);
  });
  const { jti, exp = 0 } = payload;
  if (typeof jti !== "string" || jti === "" || jti.length > maxJtiLength)
    throw rejected(`jti must be a text of 1 to ${maxJtiLength} characters, another one in each assertion`);
  if (exp > now.getTime() / 1000 + maxLifeSeconds + clockToleranceSeconds)
    throw rejected(`exp must be at most ${maxLifeSeconds / 60} minutes ahead`);
  const principal = activePrincipal(item);
  const used = { id: jti, expires: exp + clockToleranceSeconds };
  const signed = { ...principal, assertion: used, key: thumbprint, keyAddedAt: key.added_at };
  return requireAllowedAddress(signed, address);
}

/** Rejects an assertion that is not for this service, or not of a client, before the table is read: strangers can send any text. */
function readAssertion(assertion: string, clientId: string | undefined, endpoint: string) {
  const { header, claims } = decode(assertion);
  const { iss, sub, aud } = claims;
  if (!algorithms.includes(header.alg ?? "")) throw rejected(`alg must be one of ${algorithms.join(", ")}`);
  if (typeof iss !== "string" || iss !== sub || !UUID.test(iss))
    throw rejected("iss and sub must both be the client id");
  if (clientId !== undefined && clientId.toLowerCase() !== iss.toLowerCase())
    throw rejected("client_id, if it is sent, must be the same as iss");
  if (![aud].flat().includes(endpoint)) throw rejected(`aud must be ${endpoint}`);
  return { iss, kid: header.kid };
}

function decode(assertion: string) {
  try {
    return { header: decodeProtectedHeader(assertion), claims: decodeJwt(assertion) };
  } catch {
    throw rejected("it is no signed JWT");
  }
}

function rejectionOf(error: unknown): ServiceError {
  if (error instanceof errors.JWTExpired) return rejected("exp has passed. Sign another one for each request");
  if (error instanceof errors.JWTClaimValidationFailed)
    return rejected(`the claim ${error.claim} is missing or not valid`);
  if (error instanceof errors.JOSEAlgNotAllowed) return rejected("alg is not an algorithm of this key");
  return unverified();
}

function activePrincipal(item: Parameters<typeof requirePrincipal>[0]): Principal {
  try {
    return requirePrincipal(item);
  } catch {
    throw unverified();
  }
}

const rejected = (reason: string) => rejectedAssertion(reason, true);

/** One response for all states of the table, so that strangers do not learn which credentials exist. */
const unverified = () =>
  rejected(
    "no key of an active credential with the id in iss verifies it. Compare kid and client id with listCredentials; with several keys, kid is required",
  );
