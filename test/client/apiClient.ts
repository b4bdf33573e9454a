import createClient, { type Client } from "openapi-fetch";
import { AccessTokens, type TokenSource } from "./accessTokens.ts";
import type { paths } from "./openApi.d.ts";
import { retried, type Send } from "./retry.ts";

/** A client of the API, typed by its description: `client.GET("/crbs/{crb_id}", { params: { path: { crb_id } } })`. */
export type ApiClient = Client<paths>;

interface ApiClientOptions {
  /** The address of the stage, without a slash at its end. */
  baseUrl: string;
  /** An API key or an access token that is sent unchanged, or a credential that is exchanged for access tokens. */
  credential: string | TokenSource;
  /** Sends one request. */
  send?: Send;
}

/** Makes a client that gets and renews its access tokens, and waits as long as `Retry-After` says. */
export function apiClient({ baseUrl, credential, send = fetch }: ApiClientOptions): ApiClient {
  const patient = retried(send);
  const authorized =
    typeof credential === "string"
      ? (request: Request) => patient(withCredential(request, credential))
      : withTokens(new AccessTokens(baseUrl, credential, patient), patient);
  return createClient<paths>({ baseUrl, fetch: authorized });
}

/** A token that the service rejects before its end (it was revoked, or clocks differ) is replaced once. */
const withTokens =
  (tokens: AccessTokens, send: Send): Send =>
  async (request) => {
    const token = await tokens.current();
    const response = await send(withCredential(request.clone(), token));
    if (response.status !== 401) return response;
    await response.body?.cancel();
    await tokens.refused(token);
    return send(withCredential(request, await tokens.current()));
  };

function withCredential(request: Request, credential: string): Request {
  request.headers.set("Authorization", credential);
  return request;
}
