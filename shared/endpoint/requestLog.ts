import type middy from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { log } from "../aws/log.ts";
import type { Call } from "./call.ts";

/** One line for each request, when its answer is made; the client id only where the credential was proved. */
export function requestLog(): middy.MiddlewareObj<Call, APIGatewayProxyResult> {
  const write = ({ event: call, response }: middy.Request<Call, APIGatewayProxyResult>) => {
    log.info("request", {
      request_id: call.requestContext.requestId,
      operation_id: call.route.operationId,
      status: response?.statusCode,
      duration_ms: Math.round(performance.now() - call.arrived),
      client_id: call.grant?.clientId,
    });
  };
  return { after: write, onError: write };
}
