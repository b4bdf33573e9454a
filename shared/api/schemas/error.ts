import * as z from "zod";
import { type ErrorCode, errorCodes } from "../errorCodes.ts";
import { errorKinds } from "../errors.ts";
import { openEnum } from "./scalars.ts";

const errorCode = openEnum(Object.values(errorCodes).flat() as [ErrorCode, ...ErrorCode[]], {
  id: "ErrorCode",
  description: "Cause of an error",
});

/** The response to every rejected or failed request (docs/spec.md#error-record). */
export const error = z
  .strictObject({
    name: z.enum(Object.values(errorKinds).map(({ name }) => name)).describe("Kind of error; each status has one"),
    code: errorCode.describe("Cause of the error, for programs; a release may add codes, and never changes one"),
    message: z.string().describe("Explanation for people; the text may change"),
    status: z.int().min(400).max(599).describe("HTTP status"),
    stack: z.string().optional().describe("Stack trace; only on the local stage"),
    data: z.unknown().optional().describe("Further details, as the operation describes them"),
  })
  .meta({ id: "Error", description: "The response to a request that was rejected or failed" });

/** The response to a request that fails its checks (docs/spec.md#error-record). */
export const validationError = error
  .extend({
    fields: z
      .record(
        z.string(),
        z.strictObject({
          message: z.string().describe("What the input must be"),
          value: z.unknown().optional().describe("The received value, cut to 200 characters; absent for secrets"),
        }),
      )
      .describe(
        "Every failing input: `path.<name>`, `query.<name>`, `header.<name in lower case>`, `body.<dotted path>` with array indexes as segments (`body.users.0.email`), or `query` or `body` for a failure of the whole",
      ),
  })
  .meta({ id: "ValidationError", description: "The response to a request with invalid inputs" });

const oauthFields = {
  error: z
    .enum([
      "invalid_client",
      "invalid_grant",
      "invalid_request",
      "invalid_scope",
      "unauthorized_client",
      "unsupported_grant_type",
    ])
    .optional()
    .describe("Kind of error for OAuth 2 libraries; only if the request was a form"),
  error_description: z.string().optional().describe("What went wrong, in one line; only if the request was a form"),
};

/**
 * The response to a rejected token request. It has the fields of RFC 6749, 5.2, if the request was a form
 * (docs/spec.md#token-exchange).
 */
export const oauthError = error
  .extend(oauthFields)
  .meta({ id: "TokenError", description: "The response to a rejected request for a token" });

/** The response to a token request that fails its checks. */
export const oauthValidationError = validationError
  .extend(oauthFields)
  .meta({ id: "TokenValidationError", description: "The response to a request for a token with invalid inputs" });
