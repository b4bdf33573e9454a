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
import { isTagged, takesBody } from "../operation.ts";
import { error, oauthError, oauthValidationError, validationError } from "../schemas/error.ts";
import { transportSecurity } from "../transportSecurity.ts";
import { adaptTextToCaller } from "./adaptTextToCaller.ts";

const headers = z.object({
  "x-request-id": z
    .string()
    .meta({ description: "Names the request; tell it when you ask about one", header: { id: "RequestId" } }),
  "Strict-Transport-Security": z
    .string()
    .optional()
    .meta({
      description: `\`${transportSecurity["Strict-Transport-Security"]}\`: use HTTPS alone. Absent on a local stage, which has no HTTPS`,
      header: { id: "StrictTransportSecurity" },
    }),
});
const retryHeaders = headers.extend({
  "Retry-After": z
    .string()
    .regex(/^\d+$/)
    .meta({ description: "Seconds after which a new try makes sense", header: { id: "RetryAfter" } }),
});

const taggedHeaders = headers.extend({
  ETag: z
    .string()
    .optional()
    .meta({
      description:
        "Stands for this answer; send it as `If-None-Match` to read it again only when it has changed. Absent for a minute and a half after a list has changed",
      header: { id: "ETag" },
    }),
});

const notModified: ZodOpenApiResponseObject = {
  id: "NotModified",
  description: "The answer is still the one that `If-None-Match` stands for. There is no body.",
  headers: taggedHeaders,
};

/** When each kind of failure occurs, with examples of its response (docs/spec.md#rejected-requests). */
const rejections: Record<ErrorKind, Rejection> = {
  unauthorized: {
    description: "There is no credential in the `Authorization` header, or it is unknown, revoked, expired or altered.",
    examples: { unauthorized: {} },
  },
  forbidden: {
    description:
      "The credential is good, but not for this: it belongs to the other kind of caller or to another service provider, or it lacks the scope.",
    examples: {
      caller: {},
      scope: { message: "The scope point-of-sale:read is needed." },
    },
  },
  notFound: {
    description:
      "Nothing has this identifier, or what has it is not the caller's. Both are answered alike, so that nobody learns what others have.",
    examples: { notFound: {} },
  },
  conflict: { description: "The present state does not permit this.", examples: { conflict: {} } },
  tooLarge: {
    description:
      "The body is larger than 1 MB, or, where it holds a document, larger than the platform carries. It was refused before it was read.",
    examples: { tooLarge: {} },
  },
  invalid: {
    description:
      "An identifier, a parameter or the body does not fit. All that was found is told at once in `fields`. A body that is no JSON, or is sent as another content type, fails as `body`.",
    examples: {
      parameter: { fields: { "query.limit": { message: "must be an integer from 1 to 1000", value: "1001" } } },
      identifier: { fields: { "path.crb_id": { message: "must be a uuid", value: "high-plains" } } },
      body: {
        fields: {
          "body.grant_type": { message: "must be client_credentials", value: "password" },
          "body.client_secret": { message: "is required together with client_id" },
        },
      },
    },
  },
  throttled: {
    description: "Too many requests. Wait as long as `Retry-After` says.",
    examples: { throttled: {} },
  },
  internal: {
    description: "Something went wrong in the service. It was noted there, with the `x-request-id`.",
    examples: { internal: {} },
  },
  unavailable: {
    description:
      "A system that the answer needs cannot be reached, or is too busy. Nothing was changed; try again after `Retry-After`.",
    examples: { unavailable: {} },
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
      headers: tagged ? taggedHeaders : headers,
      content: { "application/json": { schema: success.schema, ...successExamples(operation) } },
    },
    ...(tagged && { "304": notModified }),
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        own[status] ? failure(kindOf[status], toldTo(route, own[status]), form && oauthErrors) : shared[status],
      ]),
    ),
    ...(maxBodyBytes !== undefined && { "413": bodyTooLarge(maxBodyBytes) }),
  };
}

/** The 413 of an operation with its own limit. A form gets the plain error too, because it was not read. */
const bodyTooLarge = (maxBytes: number): ZodOpenApiResponseObject =>
  failure("tooLarge", { ...rejections.tooLarge, description: `The body is larger than ${maxBytes / 1024} KiB.` });

const toldTo = (route: Route, { description, examples }: Rejection): Rejection => ({
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
    headers: kind === "throttled" || kind === "unavailable" ? retryHeaders : headers,
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
