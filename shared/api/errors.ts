import type { CodeOf, ErrorCode } from "./errorCodes.ts";

/**
 * Every kind of failure that the service knows, with its response and its own code (docs/spec.md#errors). Callers see no
 * other failures.
 */
export const errorKinds = {
  unauthorized: {
    code: "unauthorized",
    status: 401,
    name: "Unauthorized",
    message: "A valid credential is needed in the Authorization header.",
  },
  forbidden: {
    code: "request_blocked",
    status: 403,
    name: "Forbidden",
    message: "The caller has no access to this operation.",
  },
  notFound: {
    code: "not_found",
    status: 404,
    name: "Not Found",
    message: "Nothing exists at this path, or the caller has no access to it.",
  },
  conflict: {
    code: "status_not_allowed",
    status: 409,
    name: "Conflict",
    message: "The current state does not allow this operation.",
  },
  tooLarge: {
    code: "payload_too_large",
    status: 413,
    name: "Payload Too Large",
    message: "The request body is too large.",
  },
  invalid: { code: "validation_failed", status: 422, name: "Validation Failed", message: "The request is not valid." },
  throttled: {
    code: "rate_limited",
    status: 429,
    name: "Too Many Requests",
    message: "Too many requests. Try again later.",
  },
  internal: {
    code: "unexpected",
    status: 500,
    name: "Internal Server Error",
    message: "The service failed unexpectedly. Try again later.",
  },
  unavailable: {
    code: "unavailable",
    status: 503,
    name: "Service Unavailable",
    message: "A system that this operation needs cannot be reached. Try again later.",
  },
} as const;

export type ErrorKind = keyof typeof errorKinds;

export type ErrorStatus = (typeof errorKinds)[ErrorKind]["status"];

/** Failing inputs by path, such as `query.limit` or `body.users.0.email` (docs/spec.md#error-record). */
export type Fields = Record<string, { message: string; value?: unknown }>;

/** Additional fields of an error record that an OAuth 2 library receives (RFC 6749, 5.2). */
export interface OAuthError {
  error:
    | "invalid_client"
    | "invalid_grant"
    | "invalid_request"
    | "invalid_scope"
    | "unauthorized_client"
    | "unsupported_grant_type";
  /** Printable ASCII without quotes and backslashes. */
  error_description: string;
}

/** Details of a failure beyond its kind. */
export interface Details {
  /** The cause, one of the kind's codes; the kind's own code if absent. */
  code?: ErrorCode;
  /** The message for people; the kind's own sentence when absent. Must hold no received value. */
  message?: string;
  /** The failing inputs; only with kind `invalid`. */
  fields?: Fields;
  /** Extra facts for the caller. */
  data?: unknown;
  /** Seconds after which the caller should retry; only with kinds `throttled` and `unavailable`. */
  retryAfter?: number;
  /** The fields for OAuth 2 libraries; only in responses to them. */
  oauth?: OAuthError;
  /** The header `WWW-Authenticate`, by default `Bearer`; null for no header. Only with kind `unauthorized`. */
  challenge?: string | null;
  cause?: unknown;
}

/** A failure that is reported to the caller. */
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

/** 401: no usable credential. All reasons share one message, so that the caller cannot learn which part was wrong. */
export const unauthorized = (message?: string) =>
  new ServiceError("unauthorized", message === undefined ? {} : { message });

/** 403: the credential is valid but does not grant access to this operation. */
export const forbidden = (code: CodeOf<"forbidden">, message: string) =>
  new ServiceError("forbidden", { code, message });

/**
 * 404: the record does not exist, or the caller may not know of it.
 *
 * @param what the kind of record, such as "CRB"
 */
export const notFound = (what = "record") =>
  new ServiceError("notFound", { message: `No ${what} with this id exists, or the caller has no access to it.` });

/**
 * 409: the present state does not allow the operation.
 *
 * @param data extra facts for the caller
 */
export const conflict = (code: CodeOf<"conflict">, message: string, data?: unknown) =>
  new ServiceError("conflict", { code, message, ...(data !== undefined && { data }) });

/** Seconds until a caller should retry a request for a CRB that is restored. A CRB takes minutes. */
const restoringRetrySeconds = 300;

/**
 * 503: the lists that the response needs are rebuilt after a restore of the table (docs/spec.md#restored-businesses).
 *
 * @param data extra facts for the caller
 */
export const restoring = (message: string, data?: unknown) =>
  new ServiceError("unavailable", {
    code: "restoring",
    message,
    retryAfter: restoringRetrySeconds,
    ...(data !== undefined && { data }),
  });

/** 422: the given inputs are invalid. */
export const invalid = (fields: Fields) => new ServiceError("invalid", { fields });

/** 422: too many sales match to be listed without a short window of sale days (docs/spec.md#filters). */
export const windowRequired = () => {
  const message = "More than 4096 sales match: send start_date and end_date, at most 31 days apart.";
  const fields = { "query.start_date": { message }, "query.end_date": { message } };
  return new ServiceError("invalid", { code: "window_required", message, fields });
};

/**
 * The HTTP response to a failure: status, headers beyond the common ones, and the error record of
 * docs/spec.md#error-record.
 */
export interface ErrorResponse {
  status: ErrorStatus;
  headers: Record<string, string>;
  body: string;
}

/**
 * The only translator from failures to responses. A failure other than a ServiceError becomes a 500 without details.
 * The local stage (environment variable STAGE) adds the stack. If the failure has no `data`, the local stage also adds
 * the address of the guide's section in `data`. Otherwise the content of `data` is fixed by the specification.
 */
export function toErrorResponse(error: unknown): ErrorResponse {
  const known = error instanceof ServiceError ? error : new ServiceError("internal");
  const { status, name } = errorKinds[known.kind];
  const {
    code = errorKinds[known.kind].code,
    fields,
    data,
    oauth,
    retryAfter = 1,
    challenge = "Bearer",
  } = known.details;
  const isLocal = process.env.STAGE === "local";
  const stack = isLocal && error instanceof Error ? error.stack : undefined;
  const help = isLocal ? { help: `/docs#description/${status}-${name.toLowerCase().replaceAll(" ", "-")}` } : undefined;
  return {
    status,
    headers: {
      ...((status === 429 || status === 503) && { "Retry-After": String(retryAfter) }),
      ...(status === 401 && challenge !== null && { "WWW-Authenticate": challenge }),
    },
    body: JSON.stringify({ name, code, message: known.message, status, ...oauth, fields, data: data ?? help, stack }),
  };
}
