import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { APIGatewayProxyResult } from "aws-lambda";
import { apiGatewayEvent, splitTarget } from "../../../infra/local/event.ts";
import { readBody } from "../../../infra/local/server.ts";
import { ServiceError } from "../../../shared/api/errors.ts";
import type { Deployment } from "./deployment.ts";
import { RequestTooLarge } from "./functions.ts";
import { findMethod, methodsOf } from "./methods.ts";
import { type GatewayAnswer, headerValue, MockFailure, mockAnswer } from "./mockAnswer.ts";

/** Maximum time that API Gateway waits for a function. */
const maxWaitMs = 29_000;

/** Calls a function by its ARN. */
export type Invoke = (arn: string, event: unknown, requestId: string) => Promise<unknown>;

/** A response that API Gateway makes without the function: a response type such as `INTEGRATION_TIMEOUT`. */
class GatewayRejection extends Error {}

/**
 * An HTTP server that replaces API Gateway and follows a template: methods, mock integrations, gateway responses and
 * compression. It also has the gateway's limits: 10 MB for a request, 29 s for a response.
 */
export function createDeployedGateway(deployment: Deployment, invoke: Invoke): Server {
  const methods = methodsOf(deployment);
  const responses = new Map(
    deployment
      .resources("AWS::ApiGateway::GatewayResponse")
      .map((each) => [each.properties.ResponseType, each.properties]),
  );
  const [api] = deployment.resources("AWS::ApiGateway::RestApi");
  const compressed: number = api?.properties.MinimumCompressionSize ?? Number.POSITIVE_INFINITY;

  async function answerTo(request: IncomingMessage, requestId: string): Promise<GatewayAnswer> {
    const body = await readBody(request).catch((error) => {
      throw error instanceof ServiceError ? new GatewayRejection("REQUEST_TOO_LARGE") : error;
    });
    const found = findMethod(methods, request.method ?? "", splitTarget(request.url ?? "/").path);
    if (!found) throw new GatewayRejection("MISSING_AUTHENTICATION_TOKEN");
    const { method, parameters } = found;
    if (typeof method.integration !== "string") return mockAnswer(method.integration, request.headers, requestId);
    const event = apiGatewayEvent(request, { route: { path: method.path }, parameters }, body, requestId);
    return proxied(await inTime(invoke(method.integration, event, requestId)));
  }

  function rejection(error: unknown, request: IncomingMessage, requestId: string): GatewayAnswer {
    const type = responseType(error);
    const response = responses.get(type);
    if (!response) return { status: 500, headers: {}, body: `the template has no response ${type}` };
    const headers = Object.entries<string>(response.ResponseParameters).map(([name, value]) => [
      name.replace(/^gatewayresponse\.header\./, ""),
      headerValue(value, request.headers, requestId),
    ]);
    return {
      status: Number(response.StatusCode),
      headers: { "Content-Type": "application/json", ...Object.fromEntries(headers) },
      body: response.ResponseTemplates["application/json"],
    };
  }

  return createServer(async (request, response) => {
    const requestId = randomUUID();
    let answer: GatewayAnswer;
    try {
      answer = await answerTo(request, requestId);
    } catch (error) {
      if (request.errored) return;
      answer = rejection(error, request, requestId);
    }
    send(request, response, answer, compressed);
  });
}

/** @throws GatewayRejection after 29 s */
async function inTime(answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new GatewayRejection("INTEGRATION_TIMEOUT")), maxWaitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function responseType(error: unknown): string {
  if (error instanceof GatewayRejection) return error.message;
  if (error instanceof MockFailure) return error.responseType;
  return error instanceof RequestTooLarge ? "REQUEST_TOO_LARGE" : "DEFAULT_5XX";
}

/** Response headers that a REST API renames, according to AWS's documentation. */
const remapped: Readonly<Record<string, string>> = { "www-authenticate": "x-amzn-remapped-www-authenticate" };

/** @throws Error if the result is no valid response of a function; API Gateway returns 502 for it */
function proxied(result: unknown): GatewayAnswer {
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = result as APIGatewayProxyResult;
  if (!Number.isInteger(statusCode)) throw new Error("malformed Lambda proxy response");
  const all = { ...headers, ...multiValueHeaders };
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        remapped[name.toLowerCase()] ?? name,
        Array.isArray(value) ? value.map(String) : String(value),
      ]),
    ),
    body: Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8"),
  };
}

function send(request: IncomingMessage, response: ServerResponse, answer: GatewayAnswer, compressed: number): void {
  let body = Buffer.from(answer.body);
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (body.length >= compressed && /\bgzip\b/.test(String(request.headers["accept-encoding"]))) {
    body = gzipSync(body);
    response.setHeader("Content-Encoding", "gzip");
  }
  response.statusCode = answer.status;
  if (answer.status !== 304 && answer.status !== 204) response.setHeader("Content-Length", body.length);
  response.end(request.method === "HEAD" ? undefined : body);
}
