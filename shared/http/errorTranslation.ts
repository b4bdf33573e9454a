import type middy from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { addReceivedValues } from "../api/collectInvalidFields.ts";
import { conflict, type Fields, invalid, ServiceError } from "../api/errors.ts";
import { forOAuthLibrary } from "../api/oauthError.ts";
import type { Operation } from "../api/operation.ts";
import { describeError, log } from "../platform/aws/log.ts";
import { isTransactionConflict } from "../store/retryOnConflict.ts";
import { respondError } from "./handlerResult.ts";
import { headerOf } from "./headers.ts";
import type { RequestContext } from "./requestContext.ts";

/** Converts an error to the response for the caller, and logs unexpected errors. */
export function errorTranslation(operation: Operation): middy.MiddlewareObj<RequestContext, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const { requestId } = request.event.requestContext;
      const error =
        failuresOf(request.error) ??
        contentionIn(request.error, operation) ??
        withValues(request.error, operation, request.event);
      const unexpected = error instanceof ServiceError ? error.cause : error;
      if (unexpected !== undefined)
        log.error("unexpected error", { request_id: requestId, error: describeError(unexpected) });
      const translated = request.event.received.isForm
        ? forOAuthLibrary(error, headerOf(request.event, "authorization"))
        : error;
      request.response = respondError(request.event, translated);
    },
  };
}

/**
 * The failure of the validation; undefined for other errors. The error of `@middy/validator` has the failing inputs as
 * its cause.
 */
function failuresOf(error: unknown): ServiceError | undefined {
  const cause = error instanceof Error ? (error.cause as { package?: string; data?: Fields } | undefined) : undefined;
  return cause?.package === "@middy/validator" && cause.data ? invalid(cause.data) : undefined;
}

/**
 * The 409 of a change whose attempts all met changes of other requests. The table can be reached, so a 503 would be wrong,
 * and would count as an outage. Undefined for other errors, and for operations without a 409.
 */
function contentionIn(error: unknown, { errors }: Operation): ServiceError | undefined {
  if (!(error instanceof ServiceError) || error.kind !== "unavailable" || !errors.includes(409)) return undefined;
  if (!isTransactionConflict(error.details.cause)) return undefined;
  return conflict(
    "concurrent_changes",
    "Other requests changed the same records at the same time. Read the current state, and send the request again.",
  );
}

/** Adds the received values to the failing inputs that a handler names. */
function withValues(error: unknown, operation: Operation, call: RequestContext): unknown {
  if (!(error instanceof ServiceError) || !error.details.fields) return error;
  const fields = addReceivedValues(error.details.fields, call.received, operation.secrets);
  return new ServiceError(error.kind, { ...error.details, message: error.message, fields });
}
