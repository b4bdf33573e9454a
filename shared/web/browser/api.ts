import { Rejection, Unreachable } from "./failures.ts";

/** Timeout of a call in milliseconds: longer than the timeout of the service's functions. */
const retryOptions = 35_000;

/** Calls an operation of the API; paths are relative to the page, or to the `base` of `callsWith`. */
export type Call = <T>(method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<T>;

/**
 * Creates a `Call` that sends the token, if there is one.
 *
 * @param base the address that paths are relative to; the page if absent
 * @returns a function whose promise resolves to the response body, or rejects with `Rejection` or `Unreachable`
 */
export const callsWith =
  (token?: string, base?: string): Call =>
  async (method, path, body, headers) => {
    const response = await fetch(new URL(path, base ?? location.href), {
      method,
      headers: {
        ...(token && { Authorization: token }),
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(retryOptions),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (!response || text === undefined) throw new Unreachable();
    const answered = parsed(text);
    // A proxy can send a time instead of seconds.
    const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
    if (!response.ok) throw new Rejection(response.status, answered, retryAfter);
    return answered;
  };

/** Parses a response. A proxy in front of the service may respond with text that is not JSON. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
