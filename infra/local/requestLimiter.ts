import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../shared/api/errors.ts";
import { countedPaths, credentialForm, retryAfter, windows } from "../constructs/requestLimits.ts";
import type { AwsSettings } from "../stages/stages.ts";
import { splitTarget } from "./event.ts";

type Limits = Pick<
  AwsSettings,
  | "throttle"
  | "requestsPerCredential"
  | "tokenExchangesPerAddress"
  | "requestsWithoutCredentialPerAddress"
  | "requestsPerAddress"
>;

/** The parts of a request that the limits use. */
type Request = Pick<IncomingMessage, "method" | "url" | "headers"> & { socket: { remoteAddress?: string | undefined } };

/**
 * Stands in for WAF and the throttle of API Gateway, with the limits of a stage on AWS.
 *
 * @param now a monotonic clock in milliseconds
 * @returns a function to call for each request; it throws ServiceError 429 above a limit
 */
export function requestLimiter(limits: Limits, now = () => performance.now()): (request: Request) => void {
  const perCredential = new Counter(limits.requestsPerCredential, windows.perCredential);
  const exchanges = new Counter(limits.tokenExchangesPerAddress, windows.tokenExchangesPerAddress);
  const withoutCredential = new Counter(
    limits.requestsWithoutCredentialPerAddress,
    windows.withoutCredentialPerAddress,
  );
  const perAddress = new Counter(limits.requestsPerAddress, windows.perAddress);
  const throttled = throttle(limits.throttle);
  const counted = new RegExp(countedPaths);
  const wellFormed = new RegExp(credentialForm);
  return ({ method, url = "/", headers, socket: { remoteAddress = "" } }) => {
    const time = now();
    const { authorization } = headers;
    // As in webAcl.ts: the letter case of "Bearer" does not matter, and a credential with and without "Bearer" is
    // counted as two credentials.
    const credential = authorization?.replaceAll(/\s+/g, " ").toLowerCase();
    const countsAsWithout = method !== "OPTIONS" && !wellFormed.test(credential ?? "");
    const refused =
      (credential !== undefined && perCredential.isBeyond(credential, time)) ||
      (counted.test(pathOf(url)) && exchanges.isBeyond(remoteAddress, time)) ||
      (countsAsWithout && withoutCredential.isBeyond(remoteAddress, time)) ||
      perAddress.isBeyond(remoteAddress, time);
    if (refused) throw new ServiceError("throttled", { retryAfter });
    if (throttled(time)) throw new ServiceError("throttled");
  };
}

/** Counts requests by key in a sliding window. Rejected requests count too, as in WAF. */
class Counter {
  readonly #limit: number;
  readonly #window: number;
  /**
   * For each key, the times of the latest requests: at most one time more than the limit. Keys are in the order of
   * their latest request.
   */
  readonly #times = new Map<string, number[]>();

  constructor(limit: number, seconds: number) {
    this.#limit = limit;
    this.#window = seconds * 1_000;
  }

  isBeyond(key: string, time: number): boolean {
    const past = time - this.#window;
    for (const [old, times] of this.#times) {
      if ((times.at(-1) ?? 0) > past) break;
      this.#times.delete(old);
    }
    const times = this.#times.get(key) ?? [];
    times.push(time);
    if (times.length > this.#limit + 1) times.shift();
    this.#times.delete(key);
    this.#times.set(key, times);
    return times.length > this.#limit && (times[0] ?? 0) > past;
  }
}

/** The gateway's limit for all callers together: a token bucket of size `burst`, refilled with `rate` tokens per second. */
function throttle({ rate, burst }: AwsSettings["throttle"]): (time: number) => boolean {
  let left = burst;
  let filled = 0;
  return (time) => {
    left = Math.min(burst, left + ((time - filled) / 1_000) * rate);
    filled = time;
    if (left < 1) return true;
    left -= 1;
    return false;
  };
}

/** The path as WAF compares it: decoded once, without empty segments. */
function pathOf(url: string): string {
  const { path } = splitTarget(url);
  try {
    return decodeURIComponent(path).replaceAll(/\/+/g, "/");
  } catch {
    return path;
  }
}
