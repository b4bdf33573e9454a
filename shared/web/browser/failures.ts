/** An error response of the API (docs/spec.md#error-record). */
export class Rejection extends Error {
  readonly status: number;
  /** The error's stable code, such as `role_missing`. */
  readonly code: string;
  readonly fields: Readonly<Record<string, { message: string }>>;
  readonly data: unknown;
  /** Seconds after which another attempt can succeed. */
  readonly retryAfter: number;

  constructor(
    status: number,
    body: { message?: string; code?: string; fields?: Record<string, { message: string }>; data?: unknown },
    retryAfter = 60,
  ) {
    super(body.message ?? "");
    this.status = status;
    this.code = body.code ?? "";
    this.fields = body.fields ?? {};
    this.data = body.data;
    this.retryAfter = retryAfter;
  }
}

/** No response: the network or the service is down. */
export class Unreachable extends Error {}
