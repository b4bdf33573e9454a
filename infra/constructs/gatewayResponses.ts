import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import { type ErrorKind, type Fields, ServiceError, toErrorResponse } from "../../shared/api/errors.ts";
import { contentTypes } from "../../shared/api/operation.ts";
import { rateLimitPolicy } from "../../shared/api/rateLimitPolicy.ts";
import { securityHeaders } from "../../shared/api/securityHeaders.ts";

const badBody: Fields = { body: { message: "must be JSON" } };
const badContentType: Fields = { body: { message: `must be sent as ${contentTypes.json}` } };

/**
 * API Gateway's own rejections, as errors of the service (docs/spec.md#errors-in-front-of-the-service). No method of
 * this API requires a signature, an API key or an authorizer, so a rejection that complains about one of them means an
 * unknown route or method: for an unknown route, API Gateway checks an `Authorization` header as an AWS signature.
 */
const rejections: Readonly<Record<string, readonly [kind: ErrorKind, fields?: Fields]>> = {
  ACCESS_DENIED: ["notFound"],
  API_CONFIGURATION_ERROR: ["internal"],
  AUTHORIZER_CONFIGURATION_ERROR: ["internal"],
  AUTHORIZER_FAILURE: ["internal"],
  BAD_REQUEST_BODY: ["invalid", badBody],
  BAD_REQUEST_PARAMETERS: ["invalid", badBody],
  // Also the response to a header field without a colon and to an unreadable path. The error then names no failing
  // input.
  DEFAULT_4XX: ["invalid", badBody],
  // A function was throttled, crashed or timed out: the caller can retry.
  DEFAULT_5XX: ["unavailable"],
  EXPIRED_TOKEN: ["notFound"],
  INTEGRATION_FAILURE: ["unavailable"],
  INTEGRATION_TIMEOUT: ["unavailable"],
  INVALID_API_KEY: ["notFound"],
  INVALID_SIGNATURE: ["notFound"],
  MISSING_AUTHENTICATION_TOKEN: ["notFound"],
  QUOTA_EXCEEDED: ["throttled"],
  REQUEST_TOO_LARGE: ["tooLarge"],
  RESOURCE_NOT_FOUND: ["notFound"],
  THROTTLED: ["throttled"],
  UNAUTHORIZED: ["notFound"],
  UNSUPPORTED_MEDIA_TYPE: ["invalid", badContentType],
  WAF_FILTERED: ["forbidden"],
};

/**
 * Gives every response that the gateway itself makes the error body and headers of the service.
 *
 * @param allowedOrigins origins whose pages may read the responses. Unless the list is empty, gateway responses allow
 * the origin of every request, since API Gateway cannot compare an origin with the list. A rejection contains nothing
 * secret
 */
export function addGatewayResponses(api: RestApi, allowedOrigins: readonly string[]): void {
  for (const [type, [kind, fields]] of Object.entries(rejections)) {
    const { status, headers, body } = toErrorResponse(
      new ServiceError(kind, { ...(fields && { fields }), ...(kind === "notFound" && { code: "route_not_found" }) }),
    );
    const fixed = { "Cache-Control": "no-store", ...securityHeaders, ...rateLimitPolicy, ...headers };
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(status),
      responseHeaders: {
        ...Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, `'${value}'`])),
        "x-request-id": "context.requestId",
        ...(allowedOrigins.length > 0 && {
          Vary: "'Origin'",
          "Access-Control-Allow-Origin": "method.request.header.Origin",
          "Access-Control-Expose-Headers": "'RateLimit-Policy, Retry-After, x-request-id'",
        }),
      },
      templates: { "application/json": body },
    });
  }
}
