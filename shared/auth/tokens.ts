import type { AccessScope } from "../api/enumerations.ts";
import { ServiceError, unauthorized } from "../api/errors.ts";
import type { Item, Table } from "../store/client.ts";
import { credentialKey, endedPersonKey, personKey, tokenKey, usedAssertionKey } from "../store/keys/credentials.ts";
import { isUnmet, retryOnConflict } from "../store/retryOnConflict.ts";
import { countToken, tokenLifetimeSeconds } from "./countToken.ts";
import {
  type CredentialKeys,
  type PersonAccess,
  type Principal,
  requirePrincipal,
  type UsedAssertion,
} from "./credentials.ts";
import { includesRole, type Person } from "./roles.ts";
import { hasScope } from "./scopes.ts";
import { createSecret, digestOf } from "./secrets.ts";
import { activeCredentialCondition } from "./withActiveCredential.ts";

interface Token {
  scopes: AccessScope[];
  /** Only in a token of a person. */
  person?: Person;
  /** Thumbprint of the program's key with which the token was made; absent if a secret was used. */
  key?: string;
  /** When that key was added to the credential, ISO 8601. */
  key_added_at?: string;
  issued_at: number;
  /** Epoch seconds; also the time-to-live attribute of DynamoDB. */
  expires: number;
}

const epochSeconds = () => Math.floor(Date.now() / 1000);

/** Seconds for which a used assertion is remembered after its end. This time is longer than any difference between clocks. */
const usedRetentionSeconds = 3600;

/** Seconds for which the name of a person is kept after the last sign-in: the longest time of an access report. */
const personNameSeconds = 400 * 86_400;

/** Seconds by which the clocks of the function that issues a token and of the one that proves it may differ. */
const clockToleranceSeconds = 60;

/**
 * Issues an access token with the given scopes for a credential that is already proved. The token ends no later than its
 * credential. Returns the response record (docs/spec.md#token-exchange).
 *
 * @throws ServiceError "throttled" if the credential or the person has the maximum of live tokens; "unauthorized" if the
 * assertion was already used, or the access of the credential or the person has ended meanwhile
 */
export async function issueToken(table: Table, principal: Principal, scopes: readonly AccessScope[]) {
  const { clientId, person, key, keyAddedAt, assertion } = principal;
  const accessToken = createSecret("at", clientId);
  const issuedAt = epochSeconds();
  const credentialEnd =
    principal.expiresAt === undefined ? Infinity : Math.floor(Date.parse(principal.expiresAt) / 1000);
  const expires = Math.min(issuedAt + tokenLifetimeSeconds, credentialEnd);
  const signer = { ...(person && { person }), ...(key !== undefined && { key, key_added_at: keyAddedAt }) };
  const token: Token = { scopes: [...scopes], ...signer, issued_at: issuedAt, expires };
  // A repeated assertion takes none of the places of live tokens.
  if (assertion && (await table.get(usedKey(principal, assertion), { consistent: true })))
    throw usedAssertion(principal);
  await countToken(table, clientId, issuedAt, person?.sub);
  const item = { ...tokenKey(clientId, digestOf(accessToken)), ...token };
  if (assertion) await putOnce(table, principal, item, assertion);
  else await table.put(item);
  return {
    access_token: accessToken,
    token_type: "Bearer" as const,
    scope: token.scopes,
    expires_in: Math.max(0, expires - issuedAt),
    expires_at: token.expires,
    issued_at: issuedAt,
    client_id: clientId,
    person: person ?? null,
  };
}

/** The name of a person, for access reports: the log has ids alone. */
const personItem = (spId: string, { sub, name }: Person): Item => ({
  ...personKey(spId, sub),
  sub,
  name,
  expires: epochSeconds() + personNameSeconds,
});

/**
 * Stores a token in the transaction that marks its assertion as used. So of simultaneous requests with one assertion, only one
 * gets a token, and a token that is stored after the end of a person or a credential does not exist.
 */
async function putOnce(table: Table, principal: Principal, token: Item, assertion: UsedAssertion) {
  const { clientId, spId, person } = principal;
  const used = { ...usedKey(principal, assertion), expires: assertion.expires + usedRetentionSeconds };
  const writes = [
    table.putWrite(used, { expression: "attribute_not_exists(pk)" }),
    table.putWrite(token),
    table.checkWrite(credentialKey(clientId), activeCredentialCondition(new Date())),
    ...(person ? [table.checkWrite(endedPersonKey(spId, person.sub), { expression: "attribute_not_exists(pk)" })] : []),
    ...(person ? [table.putWrite(personItem(spId, person))] : []),
  ];
  await retryOnConflict(table.clock, async () => {
    try {
      await table.transact(writes);
    } catch (error) {
      if (isUnmet(error, 0)) throw usedAssertion(principal);
      if (isUnmet(error, 2) || isUnmet(error, 3)) throw unauthorized();
      throw error;
    }
  });
}

/** An ID token stays used after a change of the settings, which gives persons another credential. */
const usedKey = ({ clientId, spId, person }: Principal, { id }: UsedAssertion) =>
  usedAssertionKey(person ? spId : clientId, id);

/**
 * 401: an assertion is invalid.
 *
 * @param reason without any value of the assertion
 * @param isOfProgram whether it is that of a program, in place of its secret
 */
export const rejectedAssertion = (reason: string, isOfProgram = false) =>
  new ServiceError("unauthorized", {
    code: isOfProgram ? "client_assertion_rejected" : "assertion_rejected",
    message: `The ${isOfProgram ? "client assertion" : "assertion"} was rejected: ${reason}.`,
  });

const usedAssertion = ({ key }: Principal) =>
  rejectedAssertion("it was already exchanged. Use another one", key !== undefined);

/**
 * Proves an access token. A valid token is stored, ends within the next hour and has not expired, and its credential is
 * active. The token grants the scopes that both it and the credential have: the token exchange, which anyone may call,
 * writes the stored token, so its item alone must grant nothing (docs/security.md#a-token-exchange-that-was-taken-over).
 *
 * @throws ServiceError "unauthorized"
 */
export function proveToken(token: Item | undefined, credential: Item | undefined): Principal {
  const principal = requirePrincipal(credential);
  const stored = token as Token | undefined;
  const now = epochSeconds();
  // A value that is not a number fails both comparisons.
  const isLive = stored && stored.expires > now && stored.expires <= now + tokenLifetimeSeconds + clockToleranceSeconds;
  if (!isLive) throw unauthorized();
  const scopes = stored.scopes.filter((scope) => hasScope(principal.scopes, scope));
  const { persons, public_keys } = credential as { persons?: PersonAccess; public_keys?: CredentialKeys };
  return { ...principal, scopes, ...provePerson(stored, persons), ...proveKey(stored, public_keys) };
}

/** The key of a token. The token ends with it, even if the key is added again later. */
function proveKey({ key, key_added_at }: Token, keys: CredentialKeys = {}) {
  if (key === undefined) return {};
  const found = keys[key];
  if (!found || found.added_at !== key_added_at) throw unauthorized();
  return { key, keyAddedAt: found.added_at, keyEndsWith: found.ends_with };
}

/** The person of a token. Only the tokens of an identity provider have one, and each of these tokens has one. */
function provePerson({ person }: Token, access: PersonAccess | undefined) {
  if (!person && !access) return {};
  if (!person || !access || !includesRole(access.role, person.role)) throw unauthorized();
  return { person, ...(access.customers && { hasCustomers: true as const }) };
}
