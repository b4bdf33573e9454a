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

  constructor(baseUrl: string, { clientId, clientSecret, scope }: ClientCredentials, send: Send) {
    this.#exchange = async () => {
      const requestedAtMs = Date.now();
      const body = { client_id: clientId, client_secret: clientSecret, grant_type: "client_credentials", scope };
      const headers = { "Content-Type": "application/json" };
      const request = new Request(`${baseUrl}/auth/token`, { method: "POST", headers, body: JSON.stringify(body) });
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
