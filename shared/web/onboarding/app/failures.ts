/** An answer that refuses a call, as errors of the API are (docs/spec.md#error-record). */
export class Rejection extends Error {
  readonly status: number;
  readonly fields: Readonly<Record<string, { message: string }>>;
  readonly data: unknown;

  constructor(
    status: number,
    body: { message?: string; fields?: Record<string, { message: string }>; data?: unknown },
  ) {
    super(body.message ?? "");
    this.status = status;
    this.fields = body.fields ?? {};
    this.data = body.data;
  }
}

/** No answer came: the network is down, or the service is. */
export class Unreachable extends Error {}
