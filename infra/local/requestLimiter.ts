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

/** What is known of a request by its limits. */
type Request = Pick<IncomingMessage, "method" | "url" | "headers"> & { socket: { remoteAddress?: string | undefined } };

/**
 * Stands in for WAF and for the throttle of API Gateway, with the limits of a stage on AWS.
 *
 * @param now milliseconds that only grow
 * @returns to be told of each request; throws ServiceError 429 for one that is beyond a limit
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
    // As in webAcl.ts: one credential is one in whichever case "Bearer" stands before it, and another one without it.
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

/** Counts by key how many requests came within a window that moves. Those that were refused count too, as WAF has it. */
class Counter {
  readonly #limit: number;
  readonly #window: number;
  /** When the latest came, one more than the limit at most; keys in the order of their latest. */
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

/** The gateway's ceiling for all callers together: a bucket of `burst` requests, into which `rate` come a second. */
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

/** A path as WAF compares it: decoded once, without empty segments. */
function pathOf(url: string): string {
  const { path } = splitTarget(url);
  try {
    return decodeURIComponent(path).replaceAll(/\/+/g, "/");
  } catch {
    return path;
  }
}
