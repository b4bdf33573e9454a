import type { APIGatewayProxyEvent, Context } from "aws-lambda";

/** The test's part of a request; `requestEvent` fills in the rest of the gateway's event. */
export interface TestRequest {
  resource: string;
  method?: string;
  path?: Record<string, string>;
  /** A list is sent as repeated parameters; an undefined value is not sent. */
  query?: Record<string, string | number | readonly string[] | undefined>;
  authorization?: string | undefined;
  contentType?: string;
  /** Further headers. */
  headers?: Record<string, string>;
  /** The source address that the gateway reports. */
  sourceIp?: string;
  /** A text is sent unchanged; anything else as JSON. */
  body?: unknown;
}

/** The gateway's event for a request. */
export function requestEvent(request: TestRequest): APIGatewayProxyEvent {
  const headers = Object.fromEntries(
    Object.entries({
      Authorization: request.authorization,
      "Content-Type": request.contentType,
      ...request.headers,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]])),
  );
  const query =
    request.query &&
    Object.fromEntries(
      Object.entries(request.query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === "object" ? [...value] : [String(value)]]],
      ),
    );
  const body = typeof request.body === "string" ? request.body : JSON.stringify(request.body);
  return {
    resource: request.resource,
    path: request.resource,
    httpMethod: request.method ?? "GET",
    headers: {},
    multiValueHeaders: headers,
    queryStringParameters: null,
    multiValueQueryStringParameters: query ?? null,
    pathParameters: request.path ?? null,
    stageVariables: null,
    requestContext: {
      requestId: "test-request",
      domainName: "api.example.com",
      path: request.resource,
      ...(request.sourceIp !== undefined && { identity: { sourceIp: request.sourceIp } }),
    } as APIGatewayProxyEvent["requestContext"],
    body: body ?? null,
    isBase64Encoded: false,
  };
}

/** The part of a Lambda context that the middleware reads. */
export const testContext = { functionName: "test" } as Context;
