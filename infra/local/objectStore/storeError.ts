/** S3's error codes with their status (Amazon S3 API reference, "Error responses"). */
const codes = {
  AccessDenied: 403,
  AccessForbidden: 403,
  BadDigest: 400,
  EntityTooLarge: 400,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const;

/** An error that the store returns in S3's format. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly status: number;
  readonly body: string;

  /** @param message for people; without characters that XML must escape */
  constructor(code: keyof typeof codes, message: string) {
    super(message);
    this.status = codes[code];
    this.body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  }
}
