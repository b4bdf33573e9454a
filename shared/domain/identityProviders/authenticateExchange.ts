import { jwtBearer } from "../../api/schemas/token.ts";
import type { Authenticate } from "../../auth/authenticateClient.ts";
import { authenticateClient } from "../../auth/authenticateClient.ts";
import { authenticatePerson } from "./authenticatePerson.ts";

/** Authenticates a token exchange (docs/spec.md#token-exchange): a person by an ID token, or a program by its credential. */
export const authenticateExchange: Authenticate = (table, body, authorization, address) => {
  const { grant_type, sp_id, assertion } = body;
  if (grant_type !== jwtBearer || sp_id === undefined || assertion === undefined)
    return authenticateClient(table, body, authorization, address);
  return authenticatePerson(table, { sp_id, assertion }, address);
};
