import type { Connection } from "../connector.ts";
import { credentialsFingerprint } from "./credentialsFingerprint.ts";
import { JsonApi } from "./jsonApi.ts";
import type { PosCall, PosClient } from "./posClient.ts";
import type { createToken, TokenCache } from "./tokenCache.ts";
import { withSession } from "./withSession.ts";

/** This service's access to an API with tokens, the same for all companies. */
export interface TokenService {
  client: PosClient;
  tokens: TokenCache;
}

/** What a sign-in may take, and the bucket of its rate limit. */
export type SignInCall = Pick<PosCall, "rateLimitBucket"> & Partial<Pick<PosCall, "attempts" | "timeoutMs">>;

/** Requests of one connection with a bearer token, which a sign-in issues. */
export class BearerSession {
  readonly #service: TokenService;
  readonly #rateLimitBucket: string;
  readonly #key: string;
  readonly #signIn: (call: SignInCall) => Promise<ReturnType<typeof createToken>>;

  constructor(
    service: TokenService,
    connection: Connection,
    signIn: (call: SignInCall) => Promise<ReturnType<typeof createToken>>,
  ) {
    this.#service = service;
    this.#rateLimitBucket = connection.crbId;
    this.#key = credentialsFingerprint(connection);
    this.#signIn = signIn;
  }

  /** Drops the token, so that the next call verifies the password. A token only proves that an earlier sign-in succeeded. */
  signOut(): void {
    this.#service.tokens.forget(this.#key);
  }

  /** Sends a request with the cached token. If the POS rejects the token, sends the request once more with a new token. */
  ask<Result>(ask: (api: JsonApi) => Promise<Result>, { attempts, timeoutMs }: Partial<PosCall> = {}): Promise<Result> {
    const { client, tokens: cache } = this.#service;
    const rateLimitBucket = this.#rateLimitBucket;
    const call = { rateLimitBucket, ...(attempts && { attempts }), ...(timeoutMs && { timeoutMs }) };
    return withSession({ cache, key: this.#key, signIn: () => this.#signIn(call) }, ({ text }) =>
      ask(new JsonApi({ client, rateLimitBucket, headers: { authorization: `Bearer ${text}` } })),
    );
  }
}
