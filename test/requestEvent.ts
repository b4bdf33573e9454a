import type { APIGatewayProxyEvent, Context } from "aws-lambda";

/** What a test says of a request; the rest of the gateway's event is filled in. */
export interface TestRequest {
  resource: string;
  method?: string;
  path?: Record<string, string>;
  query?: Record<string, string[]>;
  authorization?: string | undefined;
  contentType?: string;
  /** Further headers. */
  headers?: Record<string, string>;
  /** A text as it is; anything else as JSON. */
  body?: unknown;
}

/** The event that the gateway would make of a request. */
export function requestEvent(request: TestRequest): APIGatewayProxyEvent {
  const headers = Object.fromEntries(
    Object.entries({
      Authorization: request.authorization,
      "Content-Type": request.contentType,
      ...request.headers,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]])),
  );
  const body = typeof request.body === "string" ? request.body : JSON.stringify(request.body);
  return {
    resource: request.resource,
    path: request.resource,
    httpMethod: request.method ?? "GET",
    headers: {},
    multiValueHeaders: headers,
    queryStringParameters: null,
    multiValueQueryStringParameters: request.query ?? null,
    pathParameters: request.path ?? null,
    stageVariables: null,
    requestContext: { requestId: "test-request" } as APIGatewayProxyEvent["requestContext"],
    body: body ?? null,
    isBase64Encoded: false,
  };
}

/** A Lambda context as far as the chain looks at it. */
export const testContext = { functionName: "test" } as Context;
