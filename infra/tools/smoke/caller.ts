/** The answer to a call. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body if it is JSON; otherwise an empty object. */
  json: Body;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer may be anything, and the checks inspect it.
type Body = Record<string, any>;

export interface Request {
  /** The `Authorization` header; null for no header; if absent, the header of the `Caller` is sent. */
  authorization?: string | null;
  headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  body?: unknown;
}

/** Longer than both time limits for a call: 28 s of the function, and 29 s of the gateway. */
const retryOptions = 35_000;

/** Calls an API directly. A client library could hide deviations. */
export class Caller {
  readonly baseUrl: string;
  readonly #authorization: string | null;

  /** @param baseUrl without a trailing slash @param authorization null for calls without a credential */
  constructor(baseUrl: string, authorization: string | null) {
    this.baseUrl = baseUrl;
    this.#authorization = authorization;
  }

  /** @throws Error if there is no answer */
  async call(method: string, path: string, request: Request = {}): Promise<Answer> {
    const { authorization = this.#authorization, headers, body } = request;
    const response = await fetch(this.baseUrl + path, {
      method,
      redirect: "manual",
      headers: {
        ...(authorization !== null && { Authorization: authorization }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(retryOptions),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
  }

  /** Returns the body of a call that must succeed. @throws Error with the answer if it does not */
  async answer(method: string, path: string, request?: Request): Promise<Body> {
    const answer = await this.call(method, path, request);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${shortly(answer)}`);
    return answer.json;
  }
}

/** Status and start of an answer, for a table row. */
export const shortly = ({ status, text }: Answer): string => `${status} ${text.replaceAll(/\s+/g, " ").slice(0, 200)}`;

function jsonOf(text: string): Body {
  try {
    const json = JSON.parse(text);
    return typeof json === "object" && json !== null ? json : {};
  } catch {
    return {};
  }
}
