import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEvent } from "aws-lambda";
import type { Found } from "./routes.ts";

/** The parts of a request from which its event is built. */
type Received = Pick<IncomingMessage, "url" | "method" | "rawHeaders" | "headers" | "httpVersion"> & {
  socket: { remoteAddress?: string | undefined };
};

/**
 * Builds the event that API Gateway (REST API, Lambda proxy integration) would pass to a route's function.
 *
 * @param request from node:http, with its body already read
 * @param body the whole body; an empty one becomes null, as on the gateway
 * @param requestId becomes requestContext.requestId, which the function returns as x-request-id
 */
export function apiGatewayEvent(
  request: Received,
  found: { route: Pick<Found["route"], "path">; parameters: Found["parameters"] },
  body: Buffer,
  requestId: string,
  now = new Date(),
): APIGatewayProxyEvent {
  const { path, search } = splitTarget(request.url ?? "/");
  const method = request.method ?? "GET";
  const headers = manyValues(pairs(request.rawHeaders));
  const query = manyValues(new URLSearchParams(search));
  return {
    resource: found.route.path,
    path,
    httpMethod: method,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(lastValues(query)),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(found.parameters),
    stageVariables: null,
    requestContext: {
      accountId: "000000000000",
      apiId: "local",
      authorizer: null,
      domainName: request.headers.host ?? "127.0.0.1",
      domainPrefix: "local",
      extendedRequestId: requestId,
      httpMethod: method,
      identity: identity(request),
      path,
      protocol: `HTTP/${request.httpVersion}`,
      requestId,
      requestTime: gatewayTime(now),
      requestTimeEpoch: now.getTime(),
      resourceId: "local",
      resourcePath: found.route.path,
      stage: "local",
    },
    body: body.length === 0 ? null : body.toString("utf8"),
    isBase64Encoded: false,
  };
}

/** Path and query string of a request target, both still percent-encoded. */
export function splitTarget(target: string): { path: string; search: string } {
  const mark = target.indexOf("?");
  return mark < 0 ? { path: target, search: "" } : { path: target.slice(0, mark), search: target.slice(mark + 1) };
}

/** Node's flat list [name, value, name, value ...] as pairs. */
function* pairs(flat: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] ?? "", flat[i + 1] ?? ""];
}

/** Object.fromEntries defines own properties, so a parameter named __proto__ is harmless. */
function manyValues(entries: Iterable<[string, string]>): Record<string, string[]> {
  const groups = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.map(([, value]) => value)]));
}

function lastValues(values: Record<string, string[]>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1)]));
}

function orNull<T extends object>(values: T): T | null {
  return Object.keys(values).length > 0 ? values : null;
}

function identity(request: Received): APIGatewayProxyEvent["requestContext"]["identity"] {
  return {
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: null,
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp: request.socket.remoteAddress ?? "",
    user: null,
    userAgent: request.headers["user-agent"] ?? null,
    userArn: null,
  };
}

/** Such as "09/Apr/2015:12:34:56 +0000". */
function gatewayTime(time: Date): string {
  const [, day, month, year, clock] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(time.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${clock} +0000`;
}
