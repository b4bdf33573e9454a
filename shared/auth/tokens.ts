import type { AccessScope } from "../api/enumerations.ts";
import { unauthorized } from "../api/errors.ts";
import type { Item, Table } from "../store/client.ts";
import { tokenKey } from "../store/keys/credentials.ts";
import { countToken, tokenLifetimeSeconds } from "./countToken.ts";
import { type Principal, requirePrincipal } from "./credentials.ts";
import { createSecret, digestOf } from "./secrets.ts";

interface Token {
  scopes: AccessScope[];
  issued_at: number;
  /** Epoch seconds; also the time-to-live attribute of DynamoDB. */
  expires: number;
}

const epochSeconds = () => Math.floor(Date.now() / 1000);

/**
 * Issues an access token with the given scopes for a credential that is already proved. Returns the response record
 * (docs/spec.md#token-exchange).
 *
 * @throws ServiceError "throttled" if the credential has the maximum of live tokens
 */
export async function issueToken(table: Table, principal: Principal, scopes: readonly AccessScope[]) {
  const accessToken = createSecret("at", principal.clientId);
  const issuedAt = epochSeconds();
  const token: Token = { scopes: [...scopes], issued_at: issuedAt, expires: issuedAt + tokenLifetimeSeconds };
  await countToken(table, principal.clientId, issuedAt);
  await table.put({ ...tokenKey(principal.clientId, digestOf(accessToken)), ...token });
  return {
    access_token: accessToken,
    token_type: "Bearer" as const,
    scope: token.scopes,
    expires_in: tokenLifetimeSeconds,
    expires_at: token.expires,
    issued_at: issuedAt,
    client_id: principal.clientId,
  };
}

/**
 * Proves an access token. A valid token is stored and has not expired, and its credential is active.
 *
 * @throws ServiceError "unauthorized"
 */
export function proveToken(token: Item | undefined, credential: Item | undefined): Principal {
  const principal = requirePrincipal(credential);
  const stored = token as Token | undefined;
  if (!stored || stored.expires <= epochSeconds()) throw unauthorized();
  return { ...principal, scopes: stored.scopes };
}
