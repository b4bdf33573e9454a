import { setTimeout as sleep } from "node:timers/promises";

/** Sends a request; what `fetch` does, and each layer around it. */
export type Send = (request: Request) => Promise<Response>;

interface RetryOptions {
  /** Tries after the first. */
  retries?: number;
  /** The longest wait for one more try, milliseconds; who is told to wait longer gives up. */
  longest?: number;
}

/**
 * Sends again what was answered with 429 or 503, when the `Retry-After` of the answer has passed. Both mean that nothing
 * was changed, so that changes are sent again, too. The last answer is given back as it is.
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

/** Milliseconds after which to try again; undefined for an answer that is to stay. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = headers.get("Retry-After");
  return (status === 429 || status === 503) && seconds !== null ? Number(seconds) * 1_000 : undefined;
}
