import * as z from "zod";
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import {
  type Details,
  type ErrorKind,
  type ErrorStatus,
  errorKinds,
  ServiceError,
  toErrorResponse,
} from "../errors.ts";
import type { Operation, Rejection, Route } from "../operation.ts";
import { isTagged, linksPages, takesBody } from "../operation.ts";
import { rateLimitPolicy } from "../rateLimitPolicy.ts";
import { error, oauthError, oauthValidationError, validationError } from "../schemas/error.ts";
import { securityHeaders } from "../securityHeaders.ts";
import { adaptTextToCaller } from "./adaptTextToCaller.ts";

const headers = z.object({
  "x-request-id": z
    .string()
    .meta({ description: "Id of the request; state it when you contact the operator", header: { id: "RequestId" } }),
  "Strict-Transport-Security": z
    .string()
    .optional()
    .meta({
      description: `\`${securityHeaders["Strict-Transport-Security"]}\`: use only HTTPS. Absent on a local stage, which has no HTTPS`,
      header: { id: "StrictTransportSecurity" },
    }),
  "X-Content-Type-Options": z
    .literal("nosniff")
    .meta({
      description: "Browsers take the response for nothing but its `Content-Type`",
      header: { id: "XContentTypeOptions" },
    }),
  "RateLimit-Policy": z
    .string()
    .optional()
    .meta({
      description: `\`${rateLimitPolicy["RateLimit-Policy"]}\`: the requests (q) that a credential may send in a number of seconds (w), unless the operator has agreed on more`,
      header: { id: "RateLimitPolicy" },
    }),
});
const challengeHeaders = headers.extend({
  "WWW-Authenticate": z
    .string()
    .optional()
    .meta({
      description: "`Bearer`. API Gateway renames this header to `x-amzn-Remapped-WWW-Authenticate`",
      header: { id: "WWWAuthenticate" },
    }),
});
const retryHeaders = headers.extend({
  "Retry-After": z
    .string()
    .regex(/^\d+$/)
    .meta({ description: "Seconds to wait before the next attempt", header: { id: "RetryAfter" } }),
});

const taggedHeaders = headers.extend({
  ETag: z
    .string()
    .optional()
    .meta({
      description:
        "Version of this response; send it as `If-None-Match` to get the content again only after a change. Absent for 90 seconds after a list has changed",
      header: { id: "ETag" },
    }),
});

const link = z
  .string()
  .optional()
  .meta({
    description:
      'The next and the previous page, with `rel="next"` and `rel="prev"`, as references to the same path; absent if there is no other page',
    header: { id: "Link" },
  });

const notModified: ZodOpenApiResponseObject = {
  id: "NotModified",
  description: "Nothing has changed since the response whose `ETag` was sent as `If-None-Match`. There is no body.",
  headers: taggedHeaders,
};

/** When each kind of failure occurs, with examples of its response (docs/spec.md#rejected-requests). */
const rejections: Record<ErrorKind, Rejection> = {
  unauthorized: {
    description:
      "The `Authorization` header has no credential, or the credential is unknown, revoked, expired or altered.",
    examples: { unauthorized: {} },
  },
  forbidden: {
    description:
      "The credential is valid but does not grant access to this operation: it may not be used from this address, it belongs to the other kind of caller or to another service provider, or it lacks the scope.",
    examples: {
      address: {
        code: "address_not_allowed",
        message:
          "The credential may not be used from this address. Call from its allowed_cidrs, or ask the operator to change them.",
      },
      caller: { code: "wrong_path_family", message: "This kind of credential has no access to this path." },
      scope: {
        code: "scope_missing",
        message: "The credential does not hold the scope point-of-sale:read, which this operation requires.",
      },
    },
  },
  notFound: {
    description:
      "No record has this identifier, or the record is not the caller's. Both cases have the same response, so that no caller learns which identifiers others use.",
    examples: {
      record: { message: "No customer with this id exists, or the caller has no access to it." },
      route: { code: "route_not_found" },
    },
  },
  conflict: { description: "The current state does not allow this operation.", examples: { conflict: {} } },
  tooLarge: {
    description:
      "The body is larger than 1 MB or, if it holds a document, larger than AWS accepts. It was rejected before the service read it.",
    examples: { tooLarge: {} },
  },
  invalid: {
    description:
      "An identifier, a parameter or a part of the body is invalid. `fields` lists all invalid inputs at once. A body that is not JSON, or that has another content type, is listed as `body`.",
    examples: {
      parameter: { fields: { "query.limit": { message: "must be an integer from 1 to 1000", value: "1001" } } },
      identifier: { fields: { "path.crb_id": { message: "must be a uuid", value: "high-plains" } } },
      body: {
        fields: {
          "body.grant_type": {
            message: "must be one of client_credentials, urn:ietf:params:oauth:grant-type:jwt-bearer",
            value: "password",
          },
          "body.client_id": { message: "is required together with client_secret" },
        },
      },
    },
  },
  throttled: {
    description: "Too many requests. Wait the number of seconds in `Retry-After`.",
    examples: { throttled: {} },
  },
  internal: {
    description: "The service failed unexpectedly. It has logged the failure with the `x-request-id`.",
    examples: { internal: {} },
  },
  unavailable: {
    description:
      "A system that the operation needs is unreachable or overloaded, or the records of the CRB are being restored. Nothing was changed; try again after `Retry-After`.",
    examples: {
      unavailable: {},
      restoring: {
        code: "restoring",
        message: "The records of this CRB are being restored. Try again after Retry-After.",
      },
    },
  },
};

/** Responses that every operation may give in addition to its own rejections (docs/spec.md#errors). */
const always: readonly ErrorStatus[] = [429, 500, 503];

const kindOf = Object.fromEntries(Object.entries(errorKinds).map(([kind, { status }]) => [status, kind])) as Record<
  ErrorStatus,
  ErrorKind
>;

/** All responses of an operation, by status. */
export function responses(operation: Operation, route: Route): ZodOpenApiResponsesObject {
  const { success, form, errors, maxBodyBytes, rejections: own = {} } = operation;
  const tagged = isTagged(operation, route);
  const statuses = [...new Set([...errors, ...always, ...(takesBody(route) ? [413 as const] : [])])].sort(
    (one, other) => one - other,
  );
  return {
    "200": {
      description: adaptTextToCaller(success.description, route),
      headers: (tagged ? taggedHeaders : headers).extend(linksPages(operation) ? { Link: link } : {}),
      content: { "application/json": { schema: success.schema, ...successExamples(operation) } },
    },
    ...(tagged && { "304": notModified }),
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        own[status] ? failure(kindOf[status], rejectionFor(route, own[status]), form && oauthErrors) : shared[status],
      ]),
    ),
    ...(maxBodyBytes !== undefined && { "413": bodyTooLarge(maxBodyBytes) }),
  };
}

/**
 * The 413 of an operation with its own limit. A form gets this error without OAuth fields too, because the service has
 * not read the form.
 */
const bodyTooLarge = (maxBytes: number): ZodOpenApiResponseObject =>
  failure("tooLarge", { ...rejections.tooLarge, description: `The body is larger than ${maxBytes / 1024} KiB.` });

const rejectionFor = (route: Route, { description, examples }: Rejection): Rejection => ({
  description: adaptTextToCaller(description, route),
  examples,
});

const successExamples = ({ success: { example }, form }: Operation) =>
  form ? { examples: { json: { value: example }, form: { value: form.example } } } : { example };

const errors = { error, validationError };
const oauthErrors = { error: oauthError, validationError: oauthValidationError };

function failure(
  kind: ErrorKind,
  { description, examples }: Rejection,
  schemas: typeof errors | typeof oauthErrors = errors,
): ZodOpenApiResponseObject {
  return {
    description,
    headers: headersOf(kind),
    content: {
      "application/json": {
        schema: kind === "invalid" ? schemas.validationError : schemas.error,
        examples: Object.fromEntries(
          Object.entries(examples).map(([name, details]) => [name, { value: errorRecord(kind, details) }]),
        ),
      },
    },
  };
}

function headersOf(kind: ErrorKind) {
  if (kind === "unauthorized") return challengeHeaders;
  return kind === "throttled" || kind === "unavailable" ? retryHeaders : headers;
}

/** The error record in a response, without the stack, which only the local stage adds. */
function errorRecord(kind: ErrorKind, details: Details): unknown {
  const { stack, ...record } = JSON.parse(toErrorResponse(new ServiceError(kind, details)).body);
  return record;
}

/** The responses of operations without a description of their own for a rejection. */
const shared: Partial<Record<ErrorStatus, ZodOpenApiResponseObject>> = Object.fromEntries(
  Object.entries(errorKinds).map(([kind, { status, name }]) => [
    status,
    { id: name.replaceAll(" ", ""), ...failure(kind as ErrorKind, rejections[kind as ErrorKind]) },
  ]),
);
