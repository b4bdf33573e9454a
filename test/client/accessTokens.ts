import createClient from "openapi-fetch";
import { answerOf } from "./answerOf.ts";
import type { components, paths } from "./openApi.d.ts";
import type { Send } from "./retry.ts";

type Token = components["schemas"]["TokenResponse"];

/** How to get an access token. */
export interface TokenSource {
  clientId: string;
  clientSecret: string;
  /** All of the credential when absent. */
  scope?: components["schemas"]["AccessScope"][];
}

/** Seconds before its end at which a token is no longer used: a call may be long on its way. */
const margin = 60;

/** The access token of a credential: exchanged when it is first needed, and again before it ends. */
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
   * A token that is good for the next minute; those who ask at the same time share one exchange.
   *
   * @throws ApiError when the credential is refused
   */
  async current(): Promise<string> {
    const held = this.#token;
    const ends = (await held)?.expires_at ?? 0;
    // Another caller may have renewed it meanwhile.
    if (this.#token === held && ends - margin <= Date.now() / 1_000) this.#token = undefined;
    const { access_token: token } = await (this.#token ?? this.#renew());
    return token;
  }

  /** Tells that a token was refused before its time. */
  async refused(token: string): Promise<void> {
    if ((await this.#token)?.access_token === token) this.#token = undefined;
  }

  #renew(): Promise<Token> {
    const token = this.#exchange();
    this.#token = token;
    // A refused exchange is not kept: whoever asks next tries again.
    token.catch(() => {
      if (this.#token === token) this.#token = undefined;
    });
    return token;
  }
}
