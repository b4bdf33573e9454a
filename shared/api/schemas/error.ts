import * as z from "zod";
import { errorKinds } from "../errors.ts";

/** The response to every rejected or failed request (docs/spec.md#error-record). */
export const error = z
  .strictObject({
    name: z.enum(Object.values(errorKinds).map(({ name }) => name)).describe("Kind of error, one for each status"),
    message: z.string().describe("What went wrong, for people; may change"),
    status: z.int().min(400).max(599).describe("HTTP status"),
    stack: z.string().optional().describe("Stack trace; on the local stage alone"),
    data: z.unknown().optional().describe("Extra facts, as the operation describes them"),
  })
  .meta({ id: "Error", description: "What every refusal and failure answers" });

/** The response to a request that fails its checks (docs/spec.md#error-record). */
export const validationError = error
  .extend({
    fields: z
      .record(
        z.string(),
        z.strictObject({
          message: z.string().describe("What is wrong with it"),
          value: z.unknown().optional().describe("What was received, cut to 200 characters; never of a secret"),
        }),
      )
      .describe(
        "Every failing input: `path.<name>`, `query.<name>`, `header.<name in lower case>`, `body.<dotted path>` with array indexes as segments (`body.users.0.email`), or `query` or `body` for the whole of it",
      ),
  })
  .meta({ id: "ValidationError", description: "What a request that fails its checks answers" });

const oauthFields = {
  error: z
    .enum(["invalid_client", "invalid_request", "invalid_scope", "unsupported_grant_type"])
    .optional()
    .describe("Kind of error for OAuth 2 libraries; where the request was a form"),
  error_description: z.string().optional().describe("What went wrong, in one line; where the request was a form"),
};

/**
 * The response to a rejected token request. It has the fields of RFC 6749, 5.2, if the request was a form
 * (docs/spec.md#token-exchange).
 */
export const oauthError = error
  .extend(oauthFields)
  .meta({ id: "TokenError", description: "What a refusal of a token answers" });

/** The same for a request that fails its checks. */
export const oauthValidationError = validationError
  .extend(oauthFields)
  .meta({ id: "TokenValidationError", description: "What a request for a token that fails its checks answers" });
