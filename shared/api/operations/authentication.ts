import { defineOperation, E3 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { tokenRequest, tokenResponse } from "../schemas/token.ts";

const exampleClientId = "e857f54f-cc4c-4981-9e78-71a37cdd607d";

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
  requests: {
    clientCredentials: {
      summary: "With a client id and secret",
      body: {
        client_id: exampleClientId,
        client_secret: "sk_6Ff1T8xMSYGeeHGjfN1gfQk3Vb8Rz5Lw2Tn7Ys4Hd0Gp6Jc1Xm9Qe3Ua5Io8Bf",
        grant_type: "client_credentials",
        scope: ["service-provider:read", "point-of-sale:read"],
      },
    },
    apiKey: {
      summary: "With an API key in the Authorization header",
      body: { grant_type: "client_credentials" },
    },
  },
  success: {
    schema: tokenResponse,
    description: "The access token",
    example: {
      access_token: "at_6Ff1T8xMSYGeeHGjfN1gfQpZc0Vb0q3uX2m8rT5wYh7LkJ9sDf4Ga6Nn1Ee2Ii3Oo",
      token_type: "Bearer",
      scope: ["service-provider:read", "point-of-sale:read"],
      expires_at: 1772539200,
      issued_at: 1772535600,
      client_id: exampleClientId,
    },
  },
  errors: E3,
  refusals: {
    401: {
      description:
        "Neither the body nor the header holds a credential, or what is there is unknown or revoked. A wrong `client_id` and a wrong `client_secret` are answered alike.",
      examples: { unauthorized: {} },
    },
    403: {
      description: "The credential does not hold a scope that was asked for.",
      examples: { scope: { message: "The credential does not hold the scope service-provider:write." } },
    },
  },
  capabilities: ["tokens:issue"],
});
