import { log } from "../../platform/aws/log.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { PosError } from "../connector.ts";
import { parseRetryAfter } from "./parseRetryAfter.ts";
import type { PosPath } from "./posPath.ts";
import { checkRequestGuard } from "./requestGuard.ts";

export interface PosClientOptions {
  /** base address without a trailing slash */
  url: string;
  /** maximum request rate of each rate-limit bucket. A bucket never has two requests at the same time */
  requestsPerSecond: number;
  /** maximum wait before the first retry, unless the POS states it; it doubles with each retry; 500 by default */
  firstPauseMs?: number;
  /** milliseconds until the response must be complete; `defaultTimeoutMs` if absent */
  timeoutMs?: number;
  clock?: Clock;
}

export interface PosCall {
  /** base address of this call, if a response of the POS named an address other than the client's */
  url?: string;
  path: PosPath;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** headers, or a function that is called with the full address before each attempt and returns the headers */
  headers: Readonly<Record<string, string>> | ((url: string) => Readonly<Record<string, string>>);
  /** sent by POST, as a form */
  form?: Readonly<Record<string, string>>;
  /** sent by POST, as JSON */
  json?: Readonly<Record<string, unknown>>;
  /** sent by POST unchanged, with the content type of `headers` */
  text?: string;
  /** name of the rate-limit bucket. It must not contain a secret, because it stays in memory */
  rateLimitBucket: string;
  /** overrides the client's timeout, in milliseconds */
  timeoutMs?: number;
  /** maximum of attempts on temporary failures. A timeout is not retried: a POS that hangs would cost several timeouts */
  attempts?: number;
  /** maximum size of a 2xx body; 64 MB by default. A `read` that does not keep the whole body can allow more */
  maxBytes?: number;
  /** reads the body of a 2xx response; by default as JSON, undefined if empty */
  read?: (chunks: AsyncIterable<Uint8Array>) => Promise<unknown>;
  /** reads a status from the body of a 2xx response; null if the body has none. This status replaces the HTTP status */
  statusIn?: (body: unknown) => number | null;
}

/** A response that a retry would not change. */
export interface PosResponse {
  /** HTTP status, or the status in a 2xx body (`statusIn`) */
  status: number;
  /** the result of `read` for a 2xx response; for other responses the parsed JSON, or the text if it is not JSON */
  body: unknown;
  /** the time on the POS's clock */
  date: Date | null;
}

/** Limits of the test call when a CRB is created: API Gateway times out after 29 seconds. */
export const interactiveLimits = { attempts: 2, timeoutMs: 4_500 } as const;

/** Milliseconds until a response must be complete, unless a connector allows more. */
export const defaultTimeoutMs = 30_000;

/** Every status of a server or proxy that fails, such as 522, is temporary, since it says nothing of the request. */
const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);
const maxAttempts = 4;
const maxBytes = 64 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
/** Maximum wait before a retry, in milliseconds. If the POS demands a longer wait, the call fails. */
const maxPauseMs = 5_000;
const minPauseWhenLimitedMs = 1_000;
/** After too many requests, the rate of the request's bucket is halved for this many milliseconds. */
const slowMilliseconds = 5 * 60_000;

/**
 * Calls a POS over HTTP. Each rate-limit bucket has a maximum rate and one request at a time. Time and size of
 * responses are limited, and temporary failures are retried. A redirect is an error, because following it would send
 * the credentials to another address.
 */
export class PosClient {
  readonly #options: Required<PosClientOptions>;
  readonly #rateLimitBuckets = new Map<string, Promise<void>>();
  /** the time until which each bucket's rate is halved, in milliseconds since 1970 */
  readonly #slow = new Map<string, number>();

  constructor(options: PosClientOptions) {
    this.#options = { firstPauseMs: 500, timeoutMs: defaultTimeoutMs, clock: systemClock, ...options };
  }

  /**
   * @throws errors of the request guard (`withRequestGuard`); PosError "limited", "unreachable" or "notUnderstood" (2xx without
   * JSON) if all attempts fail
   */
  async call(call: PosCall): Promise<PosResponse> {
    const { clock, firstPauseMs } = this.#options;
    for (let attempt = 1; ; attempt++) {
      await this.#waitForRateLimit(call.rateLimitBucket);
      await checkRequestGuard();
      const answer = await this.#attempt(call);
      if (!(answer instanceof PosError)) return answer;
      if (answer.failure === "limited") this.#slow.set(call.rateLimitBucket, clock.now().getTime() + slowMilliseconds);
      const requestedMs = answer.retryAfter === undefined ? undefined : answer.retryAfter * 1000;
      const isFinal = answer.code === "too_large" || answer.code === "timeout";
      const isLast = attempt >= (call.attempts ?? maxAttempts) || isFinal;
      if (isLast || (requestedMs ?? 0) > maxPauseMs) throw answer;
      const least = answer.failure === "limited" ? Math.min(minPauseWhenLimitedMs, firstPauseMs) : 0;
      await clock.sleep(requestedMs ?? Math.max(least, Math.random() * firstPauseMs * 2 ** (attempt - 1)));
    }
  }

  /** Waits for the bucket's next request slot. */
  #waitForRateLimit(rateLimitBucket: string): Promise<void> {
    const { clock, requestsPerSecond } = this.#options;
    if (!Number.isFinite(requestsPerSecond)) return Promise.resolve();
    const turn = this.#rateLimitBuckets.get(rateLimitBucket) ?? Promise.resolve();
    const isSlow = clock.now().getTime() < (this.#slow.get(rateLimitBucket) ?? 0);
    this.#rateLimitBuckets.set(
      rateLimitBucket,
      turn.then(() => clock.sleep(((isSlow ? 2 : 1) * 1000) / requestsPerSecond)),
    );
    return turn;
  }

  /** Sends one request. Returns a PosError for failures that a retry may fix. */
  async #attempt(call: PosCall): Promise<PosResponse | PosError> {
    const started = performance.now();
    const { pattern } = call.path;
    const answer = await this.#fetch(call).catch(temporaryFailure);
    log.debug("pos request", {
      path: pattern,
      ...(answer instanceof PosError ? { failure: answer.failure, code: answer.code } : { status: answer.status }),
      duration_ms: Math.round(performance.now() - started),
    });
    return answer;
  }

  async #fetch({
    path,
    query,
    headers,
    form,
    json,
    text,
    read = readJson,
    statusIn = () => null,
    maxBytes,
    timeoutMs,
    url = this.#options.url,
  }: PosCall): Promise<PosResponse | PosError> {
    const { clock, ...options } = this.#options;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value));
    const whole = `${url}${path.text}${search.size > 0 ? `?${search}` : ""}`;
    const response = await fetch(whole, {
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
      ...(json && { method: "POST", body: JSON.stringify(json) }),
      ...(text !== undefined && { method: "POST", body: text }),
      headers: {
        accept: "application/json",
        ...(json && { "content-type": "application/json" }),
        "user-agent": "cannabis-business-data-access/1.0",
        ...(typeof headers === "function" ? headers(whole) : headers),
      },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs ?? options.timeoutMs),
    }).catch(networkFailure);
    const body = response.ok ? await read(bytesOf(response, maxBytes)) : textOrJson(await beginningOf(response));
    const status = (response.ok ? statusIn(body) : null) ?? response.status;
    if (!isTemporary(status)) return { status, body, date: dateOf(response) };
    return new PosError(status === 429 ? "limited" : "unreachable", {
      retryAfter: parseRetryAfter(response.headers, clock.now()),
      code: String(status),
    });
  }
}

async function* bytesOf({ body }: Response, most = maxBytes): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const chunks = body?.values();
  if (!chunks) return;
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(networkFailure);
      if (done) return;
      bytes += value.byteLength;
      if (bytes > most) throw new PosError("notUnderstood", { code: "too_large" });
      yield value;
    }
  } finally {
    await chunks.return?.().catch(() => {});
  }
}

/** Reads an error response up to a maximum length. */
async function beginningOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bytesOf(response)) {
    parts.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxErrorBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** The body of a response as text, without the byte order mark that some POS systems send before it. */
export async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(Buffer.concat(await Array.fromAsync(chunks)));
}

async function readJson(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const text = await readText(chunks);
  return text.trim() === "" ? undefined : JSON.parse(text);
}

function textOrJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function dateOf({ headers }: Response): Date | null {
  const date = new Date(headers.get("date") ?? "");
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Throws a PosError without the original message, which may quote an invalid header and so a secret. */
function networkFailure(error: unknown): never {
  const { name, cause, code = cause?.code } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  throw new PosError("unreachable", {
    code: name === "TimeoutError" ? "timeout" : typeof code === "string" ? code : "network",
  });
}

/** Rethrows errors that a retry cannot fix. The message of a parse error is dropped, because it quotes the body. */
function temporaryFailure(error: unknown): PosError {
  if (error instanceof SyntaxError) return new PosError("notUnderstood", { code: "no_json" });
  if (error instanceof PosError) return error;
  throw error;
}
