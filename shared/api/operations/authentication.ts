import { defineOperation, E3 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { tokenForm, tokenRequest, tokenResponse } from "../schemas/token.ts";

const exampleClientId = "e857f54f-cc4c-4981-9e78-71a37cdd607d";
const exampleSecret = "sk_6Ff1T8xMSYGeeHGjfN1gfQk3Vb8Rz5Lw2Tn7Ys4Hd0Gp6Jc1Xm9Qe3Ua5Io8Bf";
const scope = ["service-provider:read", "point-of-sale:read"] as const;
const scopeWords = scope.join(" ");

const exampleToken = {
  access_token: "at_6Ff1T8xMSYGeeHGjfN1gfQpZc0Vb0q3uX2m8rT5wYh7LkJ9sDf4Ga6Nn1Ee2Ii3Oo",
  token_type: "Bearer" as const,
  scope,
  expires_in: 3600,
  expires_at: 1772539200,
  issued_at: 1772535600,
  client_id: exampleClientId,
};

export const exchangeToken = defineOperation({
  handler: "authentication/exchangeToken",
  routes: [{ operationId: "exchangeToken", method: "POST", path: "/auth/token", caller: "anyone" }],
  tag: "Authentication",
  summary: "Exchange a client id and secret for an access token",
  description:
    "If the body has `client_id` and `client_secret`, the `Authorization` header is ignored; without a `client_secret`, the header authenticates, with an API key or as `Basic`, and a `client_id` must be the same as in the header. Unknown parameters are ignored. A request for a scope that the credential lacks gets 403. The token ends after 3600 seconds, or with its credential. A credential has at most 100 valid tokens; further requests get 429 until one expires. Keep a token until it expires instead of requesting one for each call.\n\nOAuth 2 libraries can use the client credentials grant (RFC 6749, 4.4), with the id and secret in the form or in an `Authorization: Basic` header. The response to a form has `scope` as one text. An error response to a form also has `error` and `error_description` (RFC 6749, 5.2).",
  query: noQuery,
  body: tokenRequest,
  maxBodyBytes: 16 * 1024,
  secrets: ["body.client_secret"],
  requests: {
    clientCredentials: {
      summary: "With a client id and secret",
      body: {
        client_id: exampleClientId,
        client_secret: exampleSecret,
        grant_type: "client_credentials",
        scope,
      },
    },
    apiKey: {
      summary: "With an API key in the Authorization header",
      body: { grant_type: "client_credentials" },
    },
  },
  form: {
    schema: tokenForm,
    requests: {
      clientCredentials: {
        summary: "With a client id and secret",
        body: {
          client_id: exampleClientId,
          client_secret: exampleSecret,
          grant_type: "client_credentials",
          scope: scopeWords,
        },
      },
      header: {
        summary: "With the id and secret, or an API key, in the Authorization header",
        body: { grant_type: "client_credentials", scope: scopeWords },
      },
    },
    example: { ...exampleToken, scope: scopeWords },
  },
  success: { schema: tokenResponse, description: "The access token", example: exampleToken },
  errors: E3,
  rejections: {
    401: {
      description:
        "The request has no credential, or the credential is unknown or revoked. A wrong `client_id` and a wrong `client_secret` get the same response.",
      examples: {
        unauthorized: { message: "A valid client_id and client_secret are needed." },
        form: {
          message: "A valid client_id and client_secret are needed.",
          oauth: { error: "invalid_client", error_description: "A valid client_id and client_secret are needed." },
        },
      },
    },
    403: {
      description: "The credential does not hold a requested scope.",
      examples: {
        scope: { code: "scope_missing", message: "The credential does not hold the scope service-provider:write." },
        form: {
          code: "scope_missing",
          message: "The credential does not hold the scope service-provider:write.",
          oauth: {
            error: "invalid_scope",
            error_description: "The credential does not hold the scope service-provider:write.",
          },
        },
      },
    },
    422: {
      description:
        "The body is invalid. `fields` lists all invalid inputs at once. A body that is neither JSON nor a form is listed as `body`.",
      examples: {
        body: {
          fields: {
            "body.grant_type": { message: "must be client_credentials", value: "password" },
            "body.client_id": { message: "is required together with client_secret" },
          },
        },
        form: {
          fields: { "body.grant_type": { message: "must be client_credentials", value: "password" } },
          oauth: { error: "unsupported_grant_type", error_description: "grant_type must be client_credentials" },
        },
      },
    },
    429: {
      description:
        "The credential has 100 valid tokens: `Retry-After` says when the first of them expires. Or there were too many requests.",
      examples: {
        tokens: {
          code: "token_limit",
          message: "The credential has 100 valid access tokens, the maximum: reuse one, or wait until one expires.",
        },
        throttled: {},
      },
    },
  },
  permissionSets: ["tokens:issue"],
});
