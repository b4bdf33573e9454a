import type middy from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { accessMessage } from "../platform/aws/accessMessage.ts";
import { log } from "../platform/aws/log.ts";
import { accessEntry } from "./accessEntry.ts";
import type { RequestContext } from "./requestContext.ts";

/**
 * Writes one line per request before its response is sent: an access log entry if access was granted, otherwise a line
 * without data about the caller.
 */
export function requestLog(): middy.MiddlewareObj<RequestContext, APIGatewayProxyResult> {
  const write = ({ event: call, response }: middy.Request<RequestContext, APIGatewayProxyResult>) => {
    const line = {
      request_id: call.requestContext.requestId,
      operation_id: call.route.operationId,
      status: response?.statusCode ?? 500,
      duration_ms: Math.round(performance.now() - call.arrived),
    };
    if (call.principal) log.info(accessMessage, { ...line, ...accessEntry(call, call.principal, line.status) });
    else log.info("request", line);
  };
  return { after: write, onError: write };
}
