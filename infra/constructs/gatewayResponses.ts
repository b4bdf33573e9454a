import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import { type ErrorKind, type Fields, ServiceError, toErrorResponse } from "../../shared/api/errors.ts";
import { contentTypes } from "../../shared/api/operation.ts";
import { transportSecurity } from "../../shared/api/transportSecurity.ts";

const badBody: Fields = { body: { message: "must be JSON" } };
const badContentType: Fields = { body: { message: `must be sent as ${contentTypes.json}` } };

/**
 * What API Gateway refuses by itself, as the errors of the service (docs/spec.md#errors-in-front-of-the-service). No method of ours
 * asks the gateway for a signature, an API key, or an authorizer. So where it misses or rejects one of these, it has found
 * no such route or method: for an unknown route it checks an `Authorization` header as a signature of AWS.
 */
const rejections: Readonly<Record<string, readonly [kind: ErrorKind, fields?: Fields]>> = {
  ACCESS_DENIED: ["notFound"],
  API_CONFIGURATION_ERROR: ["internal"],
  AUTHORIZER_CONFIGURATION_ERROR: ["internal"],
  AUTHORIZER_FAILURE: ["internal"],
  BAD_REQUEST_BODY: ["invalid", badBody],
  BAD_REQUEST_PARAMETERS: ["invalid", badBody],
  // Also a header field without a colon, or a path that cannot be read: nothing that could be named.
  DEFAULT_4XX: ["invalid", badBody],
  // A function that is throttled, has crashed or took too long: worth another try.
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
 * Gives every response that the gateway makes by itself the error body and headers of the service.
 *
 * @param allowedOrigins whose pages may read them; the origin is told back, since one header must fit them all, and
 *   a refusal holds nothing that another page may not read
 */
export function addGatewayResponses(api: RestApi, allowedOrigins: readonly string[]): void {
  for (const [type, [kind, fields]] of Object.entries(rejections)) {
    const { status, headers, body } = toErrorResponse(new ServiceError(kind, fields ? { fields } : {}));
    const fixed = { "Cache-Control": "no-store", ...transportSecurity, ...headers };
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(status),
      responseHeaders: {
        ...Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, `'${value}'`])),
        "x-request-id": "context.requestId",
        ...(allowedOrigins.length > 0 && {
          Vary: "'Origin'",
          "Access-Control-Allow-Origin": "method.request.header.Origin",
          "Access-Control-Expose-Headers": "'Retry-After, x-request-id'",
        }),
      },
      templates: { "application/json": body },
    });
  }
}
