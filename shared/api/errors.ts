/** Every failure the service knows, with the answer it becomes (docs/spec.md#errors). Nothing outside this table reaches a caller. */
export const errorKinds = {
  unauthorized: {
    status: 401,
    name: "Unauthorized",
    message: "A valid credential is needed in the Authorization header.",
  },
  forbidden: { status: 403, name: "Forbidden", message: "The credential does not permit this." },
  notFound: { status: 404, name: "Not Found", message: "There is nothing at this address." },
  conflict: { status: 409, name: "Conflict", message: "The present state does not permit this." },
  tooLarge: { status: 413, name: "Payload Too Large", message: "The request body is too large." },
  invalid: { status: 422, name: "Validation Failed", message: "The request is not valid." },
  throttled: { status: 429, name: "Too Many Requests", message: "Too many requests. Try again later." },
  internal: { status: 500, name: "Internal Server Error", message: "Something went wrong on our side." },
  unavailable: {
    status: 503,
    name: "Service Unavailable",
    message: "A system needed for the answer cannot be reached.",
  },
} as const;

export type ErrorKind = keyof typeof errorKinds;
export type ErrorStatus = (typeof errorKinds)[ErrorKind]["status"];

/** Failing inputs by path, such as `query.limit` or `body.users.0.email` (docs/spec.md#error-record). */
export type Fields = Record<string, { message: string; value?: unknown }>;

/** What an error record has beside its own fields where an OAuth 2 library asked (RFC 6749, 5.2). */
export interface OAuthError {
  error: "invalid_client" | "invalid_request" | "invalid_scope" | "unsupported_grant_type";
  /** Printable ASCII without quotes and backslashes. */
  error_description: string;
}

/** What is known of a failure beyond its kind. */
export interface Details {
  /** What went wrong, for people; the kind's own sentence when absent. Must hold no received value. */
  message?: string;
  /** The failing inputs; only with kind `invalid`. */
  fields?: Fields;
  /** Extra facts for the caller. */
  data?: unknown;
  /** Seconds after which a new try makes sense; only with kinds `throttled` and `unavailable`. */
  retryAfter?: number;
  /** What OAuth 2 libraries read of a failure; only where they are answered. */
  oauth?: OAuthError;
  /** How the caller could authenticate, the header `WWW-Authenticate`; only with kind `unauthorized`. */
  challenge?: string;
  cause?: unknown;
}

/** A failure that the caller is told about. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: ErrorKind;
  readonly details: Details;

  constructor(kind: ErrorKind, details: Details = {}) {
    super(details.message ?? errorKinds[kind].message, { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }
}

/** 401: no usable credential. One message for every reason, so that nobody learns which part was wrong. */
export const unauthorized = (message?: string) =>
  new ServiceError("unauthorized", message === undefined ? {} : { message });

/** 403: the credential is good, but not for this. */
export const forbidden = (message?: string) => new ServiceError("forbidden", message === undefined ? {} : { message });

/** 404: nothing there, or nothing that this caller may know of. */
export const notFound = () => new ServiceError("notFound");

/** 409: not from the present state. @param data extra facts for the caller */
export const conflict = (message: string, data?: unknown) =>
  new ServiceError("conflict", data === undefined ? { message } : { message, data });

/** 422: the given inputs fail. */
export const invalid = (fields: Fields) => new ServiceError("invalid", { fields });

/** The HTTP answer of a failure: status, headers beyond the common ones, and the error record of docs/spec.md#error-record. */
export interface ErrorResponse {
  status: ErrorStatus;
  headers: Record<string, string>;
  body: string;
}

/**
 * The one translator from a failure to the caller's answer. A failure that is no ServiceError becomes a bare 500.
 * The stack goes along in the local stage only (environment variable STAGE), and where the failure has no `data` of its
 * own, the address of the guide's section about it: the specification fixes what `data` holds where there is some.
 */
export function toErrorResponse(error: unknown): ErrorResponse {
  const known = error instanceof ServiceError ? error : new ServiceError("internal");
  const { status, name } = errorKinds[known.kind];
  const { fields, data, oauth, challenge, retryAfter = 1 } = known.details;
  const isLocal = process.env.STAGE === "local";
  const stack = isLocal && error instanceof Error ? error.stack : undefined;
  const help = isLocal ? { help: `/docs#description/${status}-${name.toLowerCase().replaceAll(" ", "-")}` } : undefined;
  return {
    status,
    headers: {
      ...((status === 429 || status === 503) && { "Retry-After": String(retryAfter) }),
      ...(challenge !== undefined && { "WWW-Authenticate": challenge }),
    },
    body: JSON.stringify({ name, message: known.message, status, ...oauth, fields, data: data ?? help, stack }),
  };
}
