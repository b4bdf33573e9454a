import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { ServiceError, toErrorResponse } from "../../shared/api/errors.ts";
import type { Operation } from "../../shared/api/operation.ts";
import { corsHeaders, methodsOf, preflightHeaders } from "../../shared/http/cors.ts";
import { pages } from "../../shared/web/pageRoutes.ts";
import { apiGatewayEvent, splitTarget } from "./event.ts";
import { findAllAt, findPage, findRoute } from "./routes.ts";

/** The local gateway's operations, settings, and access to functions. */
export interface Gateway {
  operationRegistry: readonly Operation[];
  /** Allowed origins of CORS; `*` for all. */
  allowedOrigins: readonly string[];
  /** Calls the function in this file below functions/ with an event of API Gateway. */
  invoke(file: string, event: APIGatewayProxyEvent, requestId: string): Promise<unknown>;
  /** Throws ServiceError 429 for a request above a limit; absent if the stage has no limits. */
  admit?(request: IncomingMessage): void;
  /** The maximum size of a function's event as JSON, in bytes; a larger request gets 413. Absent if there is none. */
  maxEventBytes?: number;
  /** False while the stage starts: the gateway then answers that callers must retry. */
  isReady(): boolean;
  /** Called for each answer; `failure` is the error if the function did not answer. */
  report(line: { method: string; path: string; status: number; milliseconds: number; failure?: unknown }): void;
}

const bodyLimit = 10 * 1024 * 1024;
const compressionMinimum = 1024;
const compress = promisify(gzip);

/**
 * Creates an HTTP server that stands in for API Gateway and Lambda: routes, events, compression and the gateway's own
 * errors.
 */
export function createGateway(gateway: Gateway): Server {
  const server = createServer((request, response) => void serve(gateway, request, response));
  // If the headers announce a body that is too large, the server rejects the request before the caller sends the body.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (!(Number(request.headers["content-length"]) > bodyLimit)) response.writeContinue();
    void serve(gateway, request, response);
  });
  return server;
}

async function serve(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  const requestId = randomUUID();
  let failure: unknown;
  try {
    await write(request, response, await answerTo(gateway, request, requestId), requestId);
  } catch (error) {
    // The caller disconnected before the end of the body. This is no failure, and nothing can read an answer.
    if (request.errored) return;
    if (!(error instanceof ServiceError)) failure = error;
    await write(request, response, gatewayError(error, request, gateway), requestId);
  }
  gateway.report({
    method: request.method ?? "",
    path: splitTarget(request.url ?? "").path,
    status: response.statusCode,
    milliseconds: performance.now() - started,
    ...(failure !== undefined && { failure }),
  });
}

async function answerTo(gateway: Gateway, request: IncomingMessage, requestId: string): Promise<APIGatewayProxyResult> {
  const body = await readBody(request);
  if (!gateway.isReady()) throw new ServiceError("unavailable", { message: "The local stage is starting." });
  gateway.admit?.(request);
  const [method, { path }] = [request.method ?? "GET", splitTarget(request.url ?? "/")];
  if (method === "OPTIONS") return optionsAnswer(gateway, path, request.headers.origin);
  const found = findRoute(gateway.operationRegistry, method, path) ?? findPage(pages, method, path);
  if (!found) throw new ServiceError("notFound", { code: "route_not_found" });
  const event = apiGatewayEvent(request, found, body, requestId);
  if (gateway.maxEventBytes && Buffer.byteLength(JSON.stringify(event)) > gateway.maxEventBytes) {
    throw new ServiceError("tooLarge");
  }
  const result = await gateway.invoke(found.handler, event, requestId);
  if (!isProxyResult(result)) throw new Error(`functions/${found.handler}.ts returned no response with a status`);
  return result;
}

/** @throws ServiceError 413 above the gateway's limit, after the rest of the body has been read and discarded */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > bodyLimit && request.headers.expect) {
    throw new ServiceError("tooLarge");
  }
  const body = await collect(request, bodyLimit);
  if (!body) throw new ServiceError("tooLarge");
  return body;
}

/** Reads a body to its end; undefined if it has more bytes than `max`. A larger body is not kept. */
export async function collect(request: IncomingMessage, max: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= max) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > max ? undefined : Buffer.concat(chunks);
}

function isProxyResult(value: unknown): value is APIGatewayProxyResult {
  return typeof value === "object" && value !== null && "statusCode" in value && typeof value.statusCode === "number";
}

/** The answer to OPTIONS, including a browser's CORS preflight. */
function optionsAnswer(gateway: Gateway, path: string, origin: string | undefined): APIGatewayProxyResult {
  const found = findAllAt(gateway.operationRegistry, pages, path);
  if (found.length === 0) throw new ServiceError("notFound", { code: "route_not_found" });
  const headers = preflightHeaders(methodsOf(found), origin, gateway.allowedOrigins);
  return { statusCode: 204, headers: { "Cache-Control": "no-store", ...headers }, body: "" };
}

/**
 * The gateway's own error response, with the body and headers of the functions' errors
 * (docs/spec.md#errors-in-front-of-the-service).
 */
function gatewayError(error: unknown, request: IncomingMessage, gateway: Gateway): APIGatewayProxyResult {
  const { status, headers, body } = toErrorResponse(error);
  const cors = corsHeaders(request.headers.origin, gateway.allowedOrigins);
  return {
    statusCode: status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...cors, ...headers },
    body,
  };
}

async function write(
  request: IncomingMessage,
  response: ServerResponse,
  answer: APIGatewayProxyResult,
  requestId: string,
): Promise<void> {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.statusCode = answer.statusCode;
  response.setHeader("x-request-id", requestId);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(answer.multiValueHeaders ?? {})) {
    response.setHeader(name, values.map(String));
  }
  let body = Buffer.from(answer.body ?? "", answer.isBase64Encoded ? "base64" : "utf8");
  if (body.length >= compressionMinimum && acceptsGzip(request.headers["accept-encoding"])) {
    body = await compress(body);
    response.setHeader("Content-Encoding", "gzip");
  }
  if (answer.statusCode !== 304 && answer.statusCode !== 204) response.setHeader("Content-Length", body.length);
  // RFC 6797, 7.2 forbids the header over plain HTTP.
  response.removeHeader("Strict-Transport-Security");
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Whether an Accept-Encoding header names gzip with a weight above zero (RFC 9110, 12.5.3). */
function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .some((coding) => /^(gzip|x-gzip|\*)\s*(;|$)/.test(coding) && !/;\s*q=0(\.0*)?\s*$/.test(coding));
}
