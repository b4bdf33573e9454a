import type middy from "@middy/core";
import { ServiceError, unauthorized } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { type PathIds, pickIds } from "../api/path.ts";
import { authorize } from "../auth/authorize.ts";
import type { Principal } from "../auth/credentials.ts";
import { endOlderTokens } from "../auth/invitationTokens.ts";
import { consumeRateLimit } from "../auth/rateLimit.ts";
import { secretInHeader } from "../auth/secrets.ts";
import { describeError, log } from "../platform/aws/log.ts";
import { serviceTable } from "../store/client.ts";
import { associationKey } from "../store/keys/crbs.ts";
import { systemClock } from "../time/clock.ts";
import type { AuthenticateRequest } from "./authenticateByBody.ts";
import { headerOf } from "./headers.ts";
import type { RequestContext } from "./requestContext.ts";

/**
 * Decides on access before any other work for a request (docs/spec.md#rejected-requests). If other work came first,
 * unauthorized callers could infer from response times which records exist.
 *
 * @param authenticate authenticates the caller of an operation for `anyone`
 */
export function accessControl(
  operation: Operation,
  authenticate?: AuthenticateRequest,
): middy.MiddlewareObj<RequestContext> {
  return {
    before: async ({ event: call }) => {
      const principal = await decide(operation, call, authenticate);
      if (principal) call.principal = principal;
      call.isDecided = true;
    },
    after: async ({ event: call }) => {
      // A program that opens the links in mails makes no change, and a rejected request makes none either.
      if (!call.principal?.hasEarlierLinks || call.route.method === "GET") return;
      // The change is stored. If this fails, the next change ends the earlier links.
      await endOlderTokens(serviceTable(), secretInHeader(headerOf(call, "authorization")), systemClock).catch(
        (error) => log.warn("earlier links not ended", { error: describeError(error) }),
      );
    },
    onError: async (request) => {
      const { principal } = request.event;
      if (principal?.owner.kind !== "invitedUser" || !mayHaveEnded(request.error)) return;
      // If the association ended after access was granted, the token ended with the association, so the response is 401
      // (docs/spec.md#invitation-tokens).
      const association = associationKey(principal.spId, principal.owner.id);
      const stands = await serviceTable().get(association, { consistent: true });
      if (!stands) request.error = unauthorized();
    },
  };
}

/** Whether the end of an association may be the cause of a failure. */
const mayHaveEnded = (error: unknown): boolean =>
  error instanceof ServiceError && (error.kind === "notFound" || error.kind === "conflict");

/**
 * Counts a valid request against the rate limit of its credential and operation. Requests to operations without a rate
 * limit are not counted.
 */
export function rateLimitControl({ rateLimit }: Operation): middy.MiddlewareObj<RequestContext> {
  return {
    before: async ({ event: { principal, route } }) => {
      if (rateLimit && principal)
        await consumeRateLimit(serviceTable(), principal.clientId, route.operationId, rateLimit);
    },
  };
}

async function decide(
  operation: Operation,
  call: RequestContext,
  authenticate: AuthenticateRequest | undefined,
): Promise<Principal | undefined> {
  if (call.route.caller === "nobody") return undefined;
  const authorization = headerOf(call, "authorization");
  // API Gateway sets it to the address of the connection. A header such as X-Forwarded-For can be set by the caller.
  const address = call.requestContext.identity?.sourceIp;
  if (call.route.caller === "anyone") {
    if (!authenticate) throw unauthorized();
    return authenticate(operation, call, authorization, address);
  }
  const ids = pickIds(operation, call.pathParameters as PathIds | null);
  const secret = secretInHeader(authorization);
  return authorize(serviceTable(), call.route, ids, secret, address, call.pathParameters?.kind);
}
