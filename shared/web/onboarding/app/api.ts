import { Rejection, Unreachable } from "./failures.ts";

/** Milliseconds after which an answer is no longer waited for: longer than a function of the service may take. */
const retryOptions = 35_000;

/** Calls an operation of the API; paths are relative to where this page is. */
export type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/**
 * Calls with a credential, or without one.
 *
 * @returns what the answer holds; throws Refusal or Unreachable
 */
export const callsWith =
  (token?: string): Call =>
  async (method, path, body) => {
    const response = await fetch(new URL(path, location.href), {
      method,
      headers: {
        ...(token && { Authorization: token }),
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(retryOptions),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (!response || text === undefined) throw new Unreachable();
    const answered = parsed(text);
    if (!response.ok) throw new Rejection(response.status, answered);
    return answered;
  };

/** What stands in front of the service, such as a proxy, may answer with something else than JSON. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
