import { log } from "../../platform/aws/log.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { PosError } from "../connector.ts";
import { parseRetryAfter } from "./parseRetryAfter.ts";
import type { PosPath } from "./posPath.ts";
import { checkRequestGuard } from "./requestGuard.ts";

/** How one POS is asked. */
export interface PosClientOptions {
  /** where it is, without a slash at its end */
  url: string;
  /** how often one credential may ask, and of how many requests at most it has one under way: one */
  requestsPerSecond: number;
  /** milliseconds: the pause before the second attempt is at most this, before the third twice that … */
  firstPauseMs?: number;
  /** milliseconds until an answer must have come wholly */
  timeoutMs?: number;
  clock?: Clock;
}

export interface PosCall {
  /** what comes before the path, where an answer of the POS has named it; the client's address unless given */
  url?: string;
  path: PosPath;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** made for each attempt, by its whole address, where they depend on it */
  headers: Readonly<Record<string, string>> | ((url: string) => Readonly<Record<string, string>>);
  /** sent by POST, as a form */
  form?: Readonly<Record<string, string>>;
  /** sent by POST, as JSON */
  json?: Readonly<Record<string, unknown>>;
  /** sent by POST as it is, of the type that the headers name */
  text?: string;
  /** whose pace counts; nothing secret, since it is kept */
  rateLimitBucket: string;
  /** milliseconds; that of the client unless given */
  timeoutMs?: number;
  /** how often to ask when the POS fails for now */
  attempts?: number;
  /** whether to ask again when the time is over */
  repeatsTimeout?: boolean;
  /** of a good answer at most, where what `read` keeps of it is not the whole; 64 MB unless given */
  maxBytes?: number;
  /** how the body of a good answer is read; as JSON, or undefined when it is empty, unless given */
  read?: (chunks: AsyncIterable<Uint8Array>) => Promise<unknown>;
  /** finds a status in the body of a 2xx response, which replaces the HTTP status; null if there is none */
  statusIn?: (body: unknown) => number | null;
}

/** An answer for which another attempt would be no use. */
export interface PosResponse {
  /** of HTTP, or from the body of a 2xx response (`statusIn`) */
  status: number;
  /** of 2xx what `read` made of it; of others JSON, or else text */
  body: unknown;
  /** what the POS's clock showed */
  date: Date | null;
}

/** Attempts and budget of the test call of a creation: the API in front gives up after 29 seconds. */
export const interactiveLimits = { attempts: 2, timeoutMs: 4_500 } as const;

const temporary = new Set([408, 425, 429, 500, 502, 503, 504]);
const maxAttempts = 4;
const maxBytes = 64 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
/** What a POS asks to wait beyond this, in milliseconds, is waited for without holding a function. */
const maxPauseMs = 5_000;
const minPauseWhenLimitedMs = 1_000;
/** For so long, in milliseconds, a POS that limited a lane is asked half as often. */
const slowMilliseconds = 5 * 60_000;

/**
 * Asks a POS over HTTP: one request at a time and paced, with limits for time and size, again where that may help.
 * Redirects are errors, since credentials would go with them.
 */
export class PosClient {
  readonly #options: Required<PosClientOptions>;
  readonly #rateLimitBuckets = new Map<string, Promise<void>>();
  /** by lane, until when (epoch milliseconds) it goes at half its pace */
  readonly #slow = new Map<string, number>();

  constructor(options: PosClientOptions) {
    this.#options = { firstPauseMs: 500, timeoutMs: 30_000, clock: systemClock, ...options };
  }

  /**
   * @throws what `withRequestGuard` was given throws; PosError "limited", "unreachable" or "notUnderstood" (2xx, but no JSON) when no attempt was answered
   */
  async call(call: PosCall): Promise<PosResponse> {
    const { clock, firstPauseMs } = this.#options;
    for (let attempt = 1; ; attempt++) {
      await this.#waitForRateLimit(call.rateLimitBucket);
      await checkRequestGuard();
      const answer = await this.#attempt(call);
      if (!(answer instanceof PosError)) return answer;
      if (answer.failure === "limited") this.#slow.set(call.rateLimitBucket, clock.now().getTime() + slowMilliseconds);
      const asked = answer.retryAfter === undefined ? undefined : answer.retryAfter * 1000;
      const isOver = answer.code === "timeout" && call.repeatsTimeout === false;
      const isLast = attempt >= (call.attempts ?? maxAttempts) || answer.code === "too_large" || isOver;
      if (isLast || (asked ?? 0) > maxPauseMs) throw answer;
      const least = answer.failure === "limited" ? Math.min(minPauseWhenLimitedMs, firstPauseMs) : 0;
      await clock.sleep(asked ?? Math.max(least, Math.random() * firstPauseMs * 2 ** (attempt - 1)));
    }
  }

  /** Waits until the lane's last request was long enough ago. */
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

  /** One request. What another attempt may mend comes back as PosError. */
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
    if (!temporary.has(status)) return { status, body, date: dateOf(response) };
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

/** As much of an answer's text as may matter where the POS says no. */
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

/** A failure on the way, without its message: a header's quotes what it refuses. */
function networkFailure(error: unknown): never {
  const { name, cause, code = cause?.code } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  throw new PosError("unreachable", {
    code: name === "TimeoutError" ? "timeout" : typeof code === "string" ? code : "network",
  });
}

/** Lets go what another attempt cannot mend, such as a mistake of ours. A parser's message quotes what it has read. */
function temporaryFailure(error: unknown): PosError {
  if (error instanceof SyntaxError) return new PosError("notUnderstood", { code: "no_json" });
  if (error instanceof PosError) return error;
  throw error;
}
