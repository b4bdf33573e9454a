import { setTimeout as sleep } from "node:timers/promises";
import { isJson, NoResponseError, retryAfterOf } from "./apiError.ts";
import { version } from "./version.ts";

export const userAgent = `cannabis-business-data-client/${version} Node/${process.versions.node}`;

/** Sends one request. */
export type Send = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** Time for one attempt, including its body, in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /** Default: 5. */
  maxAttempts?: number;
  /** The longest wait. A longer `Retry-After` ends the call with its error. Default: 120. */
  maxWaitSeconds?: number;
}

/**
 * Repeats requests after a 429, a 5xx, or no whole response. It waits as long as `Retry-After` says, otherwise 1, 2, 4, … seconds
 * with jitter. Requests that are not safe to repeat are sent once.
 * @returns a function that returns the last response unchanged, except that its body has been read
 * @throws NoResponseError from that function if the last attempt had no response
 */
export const withRetries =
  (send: Send, { timeoutMs = 30_000, maxAttempts = 5, maxWaitSeconds = 120 }: RetryOptions, isRepeatable: boolean) =>
  async (request: Request): Promise<Response> => {
    const attempts = isRepeatable ? maxAttempts : 1;
    for (let attempt = 1; ; attempt++) {
      const response = await sendOnce(send, request.clone(), timeoutMs).catch((error: unknown) => {
        if (request.signal.aborted) throw request.signal.reason;
        if (attempt >= attempts) throw new NoResponseError(request, attempt, error);
      });
      const retryAfter = response && retryAfterOf(response);
      const isTemporary = !response || response.status === 429 || response.status >= 500;
      const backoff = Math.min(maxWaitSeconds, 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      const waitSeconds = retryAfter ?? (isTemporary ? backoff : 0);
      const isFinal = !isTemporary || attempt >= attempts || waitSeconds > maxWaitSeconds;
      // A page of changes can be empty because an index lags. `Retry-After` then says when to request the next page.
      if (response?.ok ? waitSeconds <= maxWaitSeconds : !isFinal)
        await sleep(waitSeconds * 1_000 * (1 + Math.random() / 10), undefined, { signal: request.signal });
      if (response && isFinal) return response;
    }
  };

/**
 * GET, DELETE and a PUT that does not add a document can be repeated. So can a POST with a key, because the service returns its
 * first response again.
 */
export const isIdempotent = ({ method, url, headers }: Request): boolean =>
  headers.has("Idempotency-Key") || !/^(POST |PUT .*\/requirements\/[^/]+\/documents$)/.test(`${method} ${url}`);

/**
 * Follows no redirect, so that no other host gets a credential. Reads the body, so that a failure there is repeated, too.
 * @throws SyntaxError if the connection ended before the JSON of a successful response
 */
async function sendOnce(send: Send, request: Request, timeoutMs: number): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const sent = new Request(request, { signal, redirect: "manual" });
  if (!sent.headers.has("User-Agent")) sent.headers.set("User-Agent", userAgent);
  const response = await send(sent);
  const body = await response.arrayBuffer();
  if (response.ok && isJson(response)) JSON.parse(new TextDecoder().decode(body));
  const { status, statusText, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
}
