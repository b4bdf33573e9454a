import type middy from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { respondError } from "./answer.ts";
import { readBody } from "./body.ts";
import type { Call } from "./call.ts";
import { type Fields, invalid, ServiceError } from "./errors.ts";
import { withReceived } from "./fields.ts";
import { describeError, log } from "./log.ts";
import type { Operation } from "./operation.ts";
import { queryOf } from "./validation.ts";

/** Turns whatever went wrong into the caller's answer; what nobody expected is logged. */
export function errorTranslation(operation: Operation): middy.MiddlewareObj<Call, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const { requestId } = request.event.requestContext;
      const error = failuresOf(request.error) ?? withValues(request.error, operation, request.event);
      const unexpected = error instanceof ServiceError ? error.cause : error;
      if (unexpected !== undefined)
        log.error("unexpected error", { request_id: requestId, error: describeError(unexpected) });
      request.response = respondError(requestId, error);
    },
  };
}

/** What `@middy/validator` throws carries the failing inputs as its cause. */
function failuresOf(error: unknown): ServiceError | undefined {
  const cause = error instanceof Error ? (error.cause as { package?: string; data?: Fields } | undefined) : undefined;
  return cause?.package === "@middy/validator" && cause.data ? invalid(cause.data) : undefined;
}

/** A handler names the inputs that fail; what was received for them is added here. */
function withValues(error: unknown, { secrets }: Operation, call: Call): unknown {
  if (!(error instanceof ServiceError) || !error.details.fields) return error;
  const body = readBody(call);
  const received = { query: queryOf(call), body: "value" in body ? body.value : undefined };
  const fields = withReceived(error.details.fields, received, secrets);
  return new ServiceError(error.kind, { ...error.details, message: error.message, fields });
}
