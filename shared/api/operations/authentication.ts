import { defineOperation, E3 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { tokenRequest, tokenResponse } from "../schemas/token.ts";

export const exchangeToken = defineOperation({
  handler: "authentication/exchangeToken",
  routes: [{ operationId: "exchangeToken", method: "POST", path: "/auth/token", caller: "anyone" }],
  tag: "Authentication",
  summary: "Exchange a client id and secret for an access token",
  description:
    "With `client_id` and `client_secret` in the body the `Authorization` header is ignored; without both, an API key in the header authenticates. A scope that the credential does not hold is refused with 403. The token ends after 3600 seconds, or with its credential.",
  query: noQuery,
  body: tokenRequest,
  secrets: ["body.client_secret"],
  success: {
    schema: tokenResponse,
    description: "The access token",
    example: {
      access_token: "at_6Ff1T8xMSYGeeHGjfN1gfQpZc0Vb0q3uX2m8rT5wYh7LkJ9sDf4Ga6Nn1Ee2Ii3Oo",
      token_type: "Bearer",
      scope: ["service-provider:read", "point-of-sale:read"],
      expires_at: 1772539200,
      issued_at: 1772535600,
      client_id: "e857f54f-cc4c-4981-9e78-71a37cdd607d",
    },
  },
  errors: E3,
  capabilities: ["table:read", "table:write"],
});
