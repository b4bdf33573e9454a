import { AccessTokens, type ClientCredentials, isCredential, type KeyCredentials } from "./accessTokens.ts";
import { isIdempotent, type RetryOptions, type Send, withRetries } from "./withRetries.ts";

/** A successful response, without its content. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** The id to name when you contact the operator. */
  requestId: string | undefined;
}

/** The options of calls. */
export interface CallOptions extends RetryOptions {
  /** More headers, such as `traceparent`. */
  headers?: Readonly<Record<string, string>>;
  /** Called with each successful response, also with each page of a list. */
  onResponse?: (response: ResponseInfo) => void;
}

export interface TransportOptions extends CallOptions {
  /** The address of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /**
   * A client secret or an access token that is sent unchanged, or a client id with its secret or a private key, which are exchanged for
   * access tokens.
   */
  credential: string | ClientCredentials | KeyCredentials;
  /** Sends one request, also of a download; for tests and proxies. Default: `fetch`. */
  send?: Send;
}

/**
 * The access tokens of a client id; undefined for a credential that is sent unchanged.
 * @param options.baseUrl without a slash at its end
 * @throws TypeError for a credential that cannot be sent
 */
export function tokensOf({
  baseUrl,
  credential,
  send = fetch,
  ...options
}: TransportOptions): AccessTokens | undefined {
  const isText = typeof credential === "string";
  const secret = isText ? credential : "clientSecret" in credential && credential.clientSecret;
  if (secret !== false && !isCredential(secret))
    throw new TypeError("The secret must be ASCII text without spaces and line breaks.");
  if (isText) return undefined;
  return new AccessTokens(baseUrl, credential, (complete) =>
    withRetries((request) => send(complete(request)), options, true),
  );
}

/**
 * Creates a function that sends requests with the credential, a timeout and retries.
 * @param tokens those of another transport with the same credential
 * @throws TypeError for a credential that cannot be sent
 */
export function createTransport(options: TransportOptions, tokens = tokensOf(options)): Send {
  const { credential, send = fetch } = options;
  const sendAuthorized = (request: Request, token: string) => {
    request.headers.set("Authorization", token);
    return withRetries(send, options, isIdempotent(request))(request);
  };
  if (!tokens) return (request) => sendAuthorized(request, String(credential));
  return async (request) => {
    const token = await tokens.current();
    const response = await sendAuthorized(request.clone(), token);
    if (response.status !== 401) return response;
    // The token was revoked before its end. The service has not executed the request, so that it can be sent again.
    await tokens.reject(token);
    return sendAuthorized(request, await tokens.current());
  };
}

/**
 * The address without a slash at its end. It must begin with `https`, except for a local stage.
 * @throws TypeError
 */
export function baseAddress(text: string): string {
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isLocal = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal)) throw new TypeError("baseUrl must begin with https");
  if (username || password || search || hash) throw new TypeError("baseUrl must have only a host, a port and a path");
  return text.replace(/\/+$/, "");
}
