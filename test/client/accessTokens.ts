import createClient from "openapi-fetch";
import { answerOf } from "./answerOf.ts";
import type { components, paths } from "./openApi.d.ts";
import type { Send } from "./retry.ts";

type Token = components["schemas"]["TokenResponse"];

/** The credential behind access tokens. */
export interface TokenSource {
  clientId: string;
  clientSecret: string;
  /** All scopes of the credential if absent. */
  scope?: components["schemas"]["AccessScope"][];
}

/** A token is no longer used this many seconds before its end, since a request may take long to arrive. */
const margin = 60;

/** The access token of a credential. It is exchanged on the first call, and again before it ends. */
export class AccessTokens {
  readonly #exchange: () => Promise<Token>;
  #token: Promise<Token> | undefined;

  constructor(baseUrl: string, { clientId, clientSecret, scope }: TokenSource, send: Send) {
    const client = createClient<paths>({ baseUrl, fetch: send });
    const body = {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: "client_credentials" as const,
      ...(scope && { scope }),
    };
    this.#exchange = async () => answerOf(await client.POST("/auth/token", { body }));
  }

  /**
   * Returns a token that is valid for at least a minute. Parallel calls share one exchange.
   * @throws ApiError if the service rejects the credential
   */
  async current(): Promise<string> {
    const held = this.#token;
    const ends = (await held)?.expires_at ?? 0;
    // A parallel call may have renewed the token meanwhile.
    if (this.#token === held && ends - margin <= Date.now() / 1_000) this.#token = undefined;
    const { access_token: token } = await (this.#token ?? this.#renew());
    return token;
  }

  /** Reports that the service rejected a token before its end. */
  async refused(token: string): Promise<void> {
    if ((await this.#token)?.access_token === token) this.#token = undefined;
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
