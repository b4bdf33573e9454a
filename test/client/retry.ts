import { setTimeout as sleep } from "node:timers/promises";

/** Sends a request, like `fetch` and each layer around it. */
export type Send = (request: Request) => Promise<Response>;

interface RetryOptions {
  /** The number of tries after the first. */
  retries?: number;
  /** The longest wait for one more try, in milliseconds. After a longer `Retry-After` it returns the response. */
  longest?: number;
}

/**
 * Sends a request again after 429 or 503, once the time in `Retry-After` has passed. With both statuses the service has
 * changed nothing, so that changes can be sent again, too. The last response is returned unchanged.
 */
export const retried =
  (send: Send, { retries = 4, longest = 60_000 }: RetryOptions = {}): Send =>
  async (request) => {
    for (let left = retries; ; left--) {
      const response = await send(request.clone());
      const wait = waitOf(response);
      if (wait === undefined || left === 0 || wait > longest) return response;
      await response.body?.cancel();
      await sleep(wait, undefined, { signal: request.signal });
    }
  };

/** The milliseconds until the next try; undefined if there is none. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = headers.get("Retry-After");
  return (status === 429 || status === 503) && seconds !== null ? Number(seconds) * 1_000 : undefined;
}
