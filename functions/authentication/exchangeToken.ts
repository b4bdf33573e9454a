import { exchangeToken } from "../../shared/api/operations/authentication.ts";
import { narrowScopes } from "../../shared/auth/scopes.ts";
import { issueToken } from "../../shared/auth/tokens.ts";
import { authenticateExchange } from "../../shared/domain/identityProviders/authenticateExchange.ts";
import { authenticateByBody } from "../../shared/http/authenticateByBody.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  exchangeToken,
  async ({ body, asForm, principal }) => {
    const token = await issueToken(serviceTable(), principal, narrowScopes(principal.scopes, body.scope));
    return json(asForm ? { ...token, scope: token.scope.join(" ") } : token);
  },
  undefined,
  authenticateByBody(authenticateExchange),
);
