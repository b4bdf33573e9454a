import { jwtBearer } from "../../api/schemas/token.ts";
import type { Authenticate } from "../../auth/authenticateClient.ts";
import { authenticateClient } from "../../auth/authenticateClient.ts";
import { authenticatePerson } from "./authenticatePerson.ts";
import { authenticateProgram } from "./authenticateProgram.ts";

/**
 * Authenticates a token exchange (docs/spec.md#token-exchange): a person by an ID token, or a program by a signed assertion or its
 * secret.
 */
export const authenticateExchange: Authenticate = (table, body, origin) => {
  const { grant_type, sp_id, assertion, client_id, client_assertion } = body;
  if (grant_type === jwtBearer && sp_id !== undefined && assertion !== undefined)
    return authenticatePerson(table, { sp_id, assertion }, origin.address);
  if (client_assertion !== undefined) return authenticateProgram(table, client_assertion, client_id, origin);
  return authenticateClient(table, body, origin);
};
