import middy from "@middy/core";
import validator from "@middy/validator";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { Operation } from "../api/operation.ts";
import { accessControl, rateLimitControl } from "./accessControl.ts";
import { type AsyncCheck, asyncChecks } from "./asyncChecks.ts";
import type { AuthenticateRequest } from "./authenticateByBody.ts";
import { deprecationHeaders } from "./deprecationHeaders.ts";
import { errorTranslation } from "./errorTranslation.ts";
import { type HandlerResult, respond } from "./handlerResult.ts";
import { limitBody, receive } from "./received.ts";
import { credentialUse } from "./recordCredentialUse.ts";
import type { Input, RequestContext } from "./requestContext.ts";
import { requestLog } from "./requestLog.ts";
import { requestSchema } from "./requestSchema.ts";
import { respondConditionally } from "./respondConditionally.ts";

/**
 * Creates the Lambda handler of an operation. The steps run in this order: log, errors, size, access, further checks,
 * validation, rate limit, `handle`, response. Each step starts only after the previous step has ended, so that failures
 * are reported in the order of docs/spec.md#order-of-checks.
 *
 * @param further finds failures that schemas cannot find, such as an id without a record. These failures are reported
 * together with the failures of the schemas
 * @param authenticate only for operations that authenticate their callers by the body of the request
 * @param handle receives valid, typed input; throws ServiceError for missing records and conflicts
 */
export function endpoint<Op extends Operation>(
  operation: Op,
  handle: (input: Input<Op>) => Promise<HandlerResult>,
  further?: AsyncCheck,
  authenticate?: AuthenticateRequest,
) {
  const chain = middy<RequestContext, APIGatewayProxyResult>({ timeoutEarlyInMillis: 0 })
    .use(requestLog())
    .use(errorTranslation(operation))
    .before(({ event }) => limitBody(operation, event))
    .use(accessControl(operation, authenticate))
    .use(credentialUse())
    .use(asyncChecks(operation, further))
    .use(validator({ eventSchema: requestSchema(operation) as never }))
    .use(rateLimitControl(operation))
    .handler(async (call: RequestContext) => {
      const answer = await handle(call.input as Input<Op>);
      const { logged, ...response } = await respondConditionally(operation, call, answer);
      if (logged) call.logged = logged;
      return respond(call, response);
    });
  const fixedHeaders = operation.deprecated && deprecationHeaders(operation.deprecated);
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const arrived = performance.now();
    const routed = { ...event, route: routeOf(operation, event) };
    const result = await chain({ ...routed, received: receive(operation, routed), arrived }, context);
    return fixedHeaders ? { ...result, headers: { ...result.headers, ...fixedHeaders } } : result;
  };
}

/** The route that API Gateway matched. */
function routeOf(operation: Operation, event: APIGatewayProxyEvent) {
  const route = operation.routes.find(({ path }) => path === event.resource);
  if (!route) throw new Error(`${operation.handler} has no route ${event.resource}`);
  return route;
}
