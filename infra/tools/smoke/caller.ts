/** What came back of a call. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body, where it is JSON; an empty object where not. */
  json: Body;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer may be anything, which is what is looked at.
type Body = Record<string, any>;

export interface Request {
  /** The header; null for none. That of the caller when absent. */
  authorization?: string | null;
  headers?: Record<string, string>;
  /** A text as it is, or what is sent as JSON. */
  body?: unknown;
}

/** A function's 28 s and the gateway's 29 s have passed by then. */
const retryOptions = 35_000;

/** Calls of an API as they are, without a client that would mend anything. */
export class Caller {
  readonly baseUrl: string;
  readonly #authorization: string | null;

  /**
   * @param baseUrl without a slash at its end
   * @param authorization null for calls without a credential
   */
  constructor(baseUrl: string, authorization: string | null) {
    this.baseUrl = baseUrl;
    this.#authorization = authorization;
  }

  /** @throws Error when nothing is answered */
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

  /** The body of a call that must succeed. @throws Error where it does not, with what came instead */
  async answer(method: string, path: string, request?: Request): Promise<Body> {
    const answer = await this.call(method, path, request);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${shortly(answer)}`);
    return answer.json;
  }
}

/** Status and beginning of an answer, for a line of a table. */
export const shortly = ({ status, text }: Answer): string => `${status} ${text.replaceAll(/\s+/g, " ").slice(0, 200)}`;

function jsonOf(text: string): Body {
  try {
    const json = JSON.parse(text);
    return typeof json === "object" && json !== null ? json : {};
  } catch {
    return {};
  }
}
