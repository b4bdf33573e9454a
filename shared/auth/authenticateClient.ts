import { ServiceError, unauthorized } from "../api/errors.ts";
import { UUID } from "../api/patterns.ts";
import type { Table } from "../store/client.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import { requireAllowedAddress } from "./allowedAddresses.ts";
import { basicCredentials } from "./basicCredentials.ts";
import { type Principal, proveApiKey } from "./credentials.ts";
import { digestOf, secretInHeader } from "./secrets.ts";

/** The fields of a token exchange that authenticate it. A secret never comes without its id. */
export interface ExchangeCredentials {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  grant_type?: string | undefined;
  sp_id?: string | undefined;
  assertion?: string | undefined;
  client_assertion?: string | undefined;
}

/** Where a token exchange comes from and arrives. */
export interface ExchangeOrigin {
  /** The header of the request. */
  authorization: string | undefined;
  /** The source address of the request. */
  address: string | undefined;
  /** The address to which the request was sent, as assertions name it. */
  endpoint: string;
}

/** Authenticates a token exchange. */
export type Authenticate = (table: Table, body: ExchangeCredentials, origin: ExchangeOrigin) => Promise<Principal>;

/**
 * Authenticates a token exchange by a secret (docs/spec.md#token-exchange). If the body has id and secret, the header is ignored.
 * Otherwise the header must contain id and secret (`Basic`) or an API key, and an id in the body must be the same id: many
 * libraries send it in both places. An access token cannot be exchanged for another access token.
 *
 * @throws ServiceError "unauthorized", where a wrong id and a wrong secret cause equal errors; "forbidden" if the credential
 * may not be used from this address
 */
export async function authenticateClient(
  table: Table,
  { client_id: clientId, client_secret: secret }: Pick<ExchangeCredentials, "client_id" | "client_secret">,
  { authorization, address }: Omit<ExchangeOrigin, "endpoint">,
): Promise<Principal> {
  const inBody = clientId !== undefined;
  try {
    const presented =
      inBody && secret !== undefined ? { clientId, digest: digestOf(secret) } : clientInHeader(authorization);
    if (!UUID.test(presented.clientId)) throw unauthorized();
    if (inBody && clientId.toLowerCase() !== presented.clientId.toLowerCase()) throw unauthorized();
    const key = credentialKey(presented.clientId.toLowerCase());
    const credential = await table.get(key, { consistent: true });
    return requireAllowedAddress(proveApiKey(credential, presented.digest), address);
  } catch (error) {
    const refused = inBody && error instanceof ServiceError && error.kind === "unauthorized";
    throw refused ? unauthorized("A valid client_id and client_secret are needed.") : error;
  }
}

function clientInHeader(authorization: string | undefined) {
  const client = basicCredentials(authorization);
  if (client) return { clientId: client.clientId, digest: digestOf(client.clientSecret) };
  return secretInHeader(authorization);
}
