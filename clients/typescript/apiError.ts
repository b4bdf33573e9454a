/**
 * An error response of the API, or a response from another program, such as a proxy. Errors of the API have a class for each
 * status, such as `NotFoundError`. The message has no value of the request.
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** Cause, such as `scope_missing`. A release may add codes. `invalid_response` if the response has no error record. */
  readonly code: string;
  /** The inputs that failed, such as `query.limit`; empty unless the status is 422. */
  readonly fields: Readonly<Record<string, { message: string; value?: unknown }>>;
  /** Further details, as the operation describes them. */
  readonly data: unknown;
  /** The id to name when you contact the operator. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a repetition, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(request: Request, response: Pick<Response, "status" | "headers">, record: Record<string, unknown>) {
    const { code = "invalid_response", message = "The response is not from this API.", fields, data } = record;
    const failures = Object.entries(isObject(fields) ? fields : {}) as [string, { message: string }][];
    const details = failures.map(([field, failure]) => `; ${field} ${failure?.message}`);
    super(`${describe(request)}: ${response.status} ${code}: ${printable([message, ...details].join(""))}`);
    this.status = response.status;
    this.headers = response.headers;
    this.code = String(code);
    this.fields = Object.fromEntries(failures);
    this.data = data;
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    this.retryAfterSeconds = retryAfterOf(response);
  }
}

/**
 * No whole response after all attempts: the connection failed or broke off, or the attempt timed out. `cause` has the
 * last failure.
 */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";

  constructor(request: Request, attempts: number, cause: unknown) {
    super(`${describe(request)}: no response after ${attempts} attempt${attempts === 1 ? "" : "s"}`, { cause });
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether the content is JSON according to its type. */
export const isJson = ({ headers }: Pick<Response, "headers">): boolean =>
  headers.get("Content-Type")?.includes("json") ?? false;

/** The seconds in `Retry-After`. Undefined if the header is absent or has another form. */
export function retryAfterOf({ headers }: Pick<Response, "headers">): number | undefined {
  const text = headers.get("Retry-After") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Queries are omitted, because they may hold the terms of a customer search. */
const describe = ({ method, url }: Request) => `${method} ${new URL(url).pathname}`;

/** The text without control characters, shortened. */
const printable = (text: string) => text.replaceAll(/\p{Cc}+/gu, " ").slice(0, 1_000);
