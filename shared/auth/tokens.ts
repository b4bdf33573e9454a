import type { AccessScope } from "../api/enumerations.ts";
import { unauthorized } from "../api/errors.ts";
import type { Item, Table } from "../store/client.ts";
import { tokenKey } from "../store/keys/credentials.ts";
import { countToken, tokenLifetimeSeconds } from "./countToken.ts";
import { type PersonAccess, type Principal, requirePrincipal } from "./credentials.ts";
import { includesRole, type Person } from "./roles.ts";
import { hasScope } from "./scopes.ts";
import { createSecret, digestOf } from "./secrets.ts";

interface Token {
  scopes: AccessScope[];
  /** Only in a token of a person. */
  person?: Person;
  /** The revision of the identity provider's settings; only in a token of a person. */
  revision?: string;
  issued_at: number;
  /** Epoch seconds; also the time-to-live attribute of DynamoDB. */
  expires: number;
}

const epochSeconds = () => Math.floor(Date.now() / 1000);

/** Seconds by which the clocks of the function that issues a token and of the one that proves it may differ. */
const clockToleranceSeconds = 60;

/**
 * Issues an access token with the given scopes for a credential that is already proved. The token ends no later than its
 * credential. Returns the response record (docs/spec.md#token-exchange).
 *
 * @throws ServiceError "throttled" if the credential has the maximum of live tokens
 */
export async function issueToken(table: Table, principal: Principal, scopes: readonly AccessScope[]) {
  const accessToken = createSecret("at", principal.clientId);
  const issuedAt = epochSeconds();
  const credentialEnd =
    principal.expiresAt === undefined ? Infinity : Math.floor(Date.parse(principal.expiresAt) / 1000);
  const expires = Math.min(issuedAt + tokenLifetimeSeconds, credentialEnd);
  const token: Token = { scopes: [...scopes], issued_at: issuedAt, expires };
  await countToken(table, principal.clientId, issuedAt);
  await table.put({ ...tokenKey(principal.clientId, digestOf(accessToken)), ...token });
  return {
    access_token: accessToken,
    token_type: "Bearer" as const,
    scope: token.scopes,
    expires_in: Math.max(0, expires - issuedAt),
    expires_at: token.expires,
    issued_at: issuedAt,
    client_id: principal.clientId,
  };
}

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
  return { ...principal, scopes, ...provePerson(stored, (credential as { persons?: PersonAccess }).persons) };
}

/** The person of a token. Only the tokens of an identity provider have one, and each of these tokens has one. */
function provePerson({ person, revision }: Token, access: PersonAccess | undefined) {
  if (!person && !access) return {};
  if (!person || !access || revision !== access.revision || !includesRole(access.role, person.role))
    throw unauthorized();
  return { person, ...(access.customers && { hasCustomers: true as const }) };
}
