import { invalid } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import type { Authenticate, ExchangeCredentials } from "../auth/authenticateClient.ts";
import type { Principal } from "../auth/credentials.ts";
import { serviceTable } from "../store/client.ts";
import type { RequestContext } from "./requestContext.ts";
import { validate } from "./validation.ts";

/** Authenticates a request to an operation for `anyone`. */
export type AuthenticateRequest = (
  operation: Operation,
  call: RequestContext,
  authorization: string | undefined,
  address: string | undefined,
) => Promise<Principal>;

/** Authenticates requests by credentials in the body. It is a module of its own, since only the token exchange needs it. */
export const authenticateByBody =
  (authenticate: Authenticate): AuthenticateRequest =>
  async (operation, call, authorization, address) =>
    authenticate(serviceTable(), credentialsIn(operation, call), {
      authorization,
      address,
      endpoint: endpointOf(call),
    });

/** The address to which a request was sent. API Gateway sets both parts, and serves no other domain than those of the stage. */
const endpointOf = ({ requestContext: { domainName, path } }: RequestContext): string =>
  `${process.env.STAGE === "local" ? "http" : "https"}://${domainName}${path}`;

/** The fields of a token exchange that authenticate it, apart from `grant_type`. */
const credentialFields = [
  "client_id",
  "client_secret",
  "sp_id",
  "assertion",
  "client_assertion",
  "client_assertion_type",
] as const;

/**
 * The credentials in the body of a token exchange. If they cannot be read, the caller cannot be authenticated; the response then
 * names every invalid field of the request. All other failures are reported only after authentication.
 */
function credentialsIn(operation: Operation, call: RequestContext): ExchangeCredentials {
  const { body, unreadable } = call.received;
  const { fields } = validate(operation, call.route, call.received);
  const isAbsent = body === undefined && unreadable === undefined;
  if (fields && ((fields.body && !isAbsent) || credentialFields.some((name) => fields[`body.${name}`])))
    throw invalid(fields);
  return (body as ExchangeCredentials | undefined) ?? {};
}
