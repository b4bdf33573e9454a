import { createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { ApiError, isObject } from "./apiError.ts";
import type { components } from "./openApi.ts";
import { readError } from "./readError.ts";
import type { Send } from "./withRetries.ts";

/** A client id and its secret, which are exchanged for access tokens. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** All scopes of the credential if absent. */
  scope?: components["schemas"]["AccessScope"][];
}

/** A client id and the private key of a public key that `setCredentialKeys` set, in place of a secret. */
export interface KeyCredentials extends Omit<ClientCredentials, "clientSecret"> {
  /** An RSA key or a key of the curve P-256: PEM, or a key of `node:crypto`. It is not sent. */
  privateKey: string | KeyObject;
  /** The id of the public key. */
  kid: string;
}

/** Seconds until the end of an assertion. The clock of this machine may differ from that of the service by a minute. */
const assertionSeconds = 120;

/**
 * The part of a token request that authenticates it. The service accepts each assertion (RFC 7523) once, so each attempt gets
 * another one.
 */
function proofOf(endpoint: string, credential: ClientCredentials | KeyCredentials): () => object {
  if ("clientSecret" in credential) return () => ({ client_secret: credential.clientSecret });
  const { clientId, kid, privateKey } = credential;
  const key = typeof privateKey === "string" ? createPrivateKey(privateKey) : privateKey;
  const header = { alg: key.asymmetricKeyType === "ec" ? "ES256" : "RS256", kid, typ: "JWT" };
  return () => {
    const exp = Math.floor(Date.now() / 1_000) + assertionSeconds;
    const claims = { iss: clientId, sub: clientId, aud: endpoint, jti: randomUUID(), exp };
    const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
    const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    return { client_assertion_type, client_assertion: `${text}.${signature}` };
  };
}

interface Token {
  text: string;
  /** The time of this machine after which the next call exchanges a token again. */
  renewAtMs: number;
}

/** A token is renewed this long before it expires, because a request may take long to arrive. */
const marginMs = 60_000;

/** The access token of a credential. */
export class AccessTokens {
  readonly #exchange: () => Promise<Token>;
  #token: Promise<Token> | undefined;

  /** @param repeat sends a request again after a failure; `complete` makes the request of each attempt */
  constructor(
    baseUrl: string,
    credential: ClientCredentials | KeyCredentials,
    repeat: (complete: (request: Request) => Request) => Send,
  ) {
    const { clientId, scope } = credential;
    const endpoint = `${baseUrl}/auth/token`;
    const prove = proofOf(endpoint, credential);
    const send = repeat((request) => {
      const body = { client_id: clientId, ...prove(), grant_type: "client_credentials", scope };
      return new Request(request, { body: JSON.stringify(body) });
    });
    this.#exchange = async () => {
      const requestedAtMs = Date.now();
      const request = new Request(endpoint, { method: "POST", headers: { "Content-Type": "application/json" } });
      const response = await send(request);
      if (!response.ok) throw await readError(request, response);
      const token: unknown = await response.json().catch(() => undefined);
      if (!isObject(token) || !isCredential(token.access_token)) throw new ApiError(request, response, {});
      // The lifetime is counted from the request, because the clock of this machine may differ from that of the service.
      return { text: token.access_token, renewAtMs: requestedAtMs + Number(token.expires_in) * 1_000 - marginMs };
    };
  }

  /**
   * Returns a token that is valid for at least a minute. Parallel calls share one exchange.
   * @throws ApiError if the service rejects the credential
   */
  async current(): Promise<string> {
    const known = this.#token;
    const isUsable = known !== undefined && (await known).renewAtMs > Date.now();
    // A parallel call may have renewed the token meanwhile.
    if (this.#token === known && !isUsable) this.#token = undefined;
    return (await (this.#token ?? this.#renew())).text;
  }

  /** Reports that the service rejected a token before its end. */
  async reject(text: string): Promise<void> {
    const known = this.#token;
    if (known && (await known).text === text && this.#token === known) this.#token = undefined;
  }

  #renew(): Promise<Token> {
    const token = this.#exchange();
    this.#token = token;
    // A failed exchange is not kept; the next call tries again.
    token.catch(() => {
      if (this.#token === token) this.#token = undefined;
    });
    return token;
  }
}

/** Whether a value can be sent in a header. If it cannot, `fetch` would throw an error that shows it. */
export const isCredential = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]{1,4096}$/.test(value);
