import { defineOperation, E3 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { jwtBearer, tokenForm, tokenRequest, tokenResponse } from "../schemas/token.ts";
import { exampleIds } from "./examples.ts";

const exampleClientId = "e857f54f-cc4c-4981-9e78-71a37cdd607d";
const exampleSecret = "sk_6Ff1T8xMSYGeeHGjfN1gfQk3Vb8Rz5Lw2Tn7Ys4Hd0Gp6Jc1Xm9Qe3Ua5Io8Bf";
const exampleIdToken =
  "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmZyb250cmFuZ2UuZXhhbXBsZS5jb20ifQ.c2lnbmF0dXJl";
const scope = ["service-provider:read", "point-of-sale:read"] as const;
const scopeWords = scope.join(" ");

const mustBeGrant = `must be one of client_credentials, ${jwtBearer}`;

const exampleToken = {
  access_token: "at_6Ff1T8xMSYGeeHGjfN1gfQpZc0Vb0q3uX2m8rT5wYh7LkJ9sDf4Ga6Nn1Ee2Ii3Oo",
  token_type: "Bearer" as const,
  scope,
  expires_in: 3600,
  expires_at: 1772539200,
  issued_at: 1772535600,
  client_id: exampleClientId,
  person: null,
};

export const exchangeToken = defineOperation({
  handler: "authentication/exchangeToken",
  routes: [{ operationId: "exchangeToken", method: "POST", path: "/auth/token", caller: "anyone" }],
  tag: "Authentication",
  summary: "Exchange a client id and secret, or an ID token, for an access token",
  description:
    "If the body has `client_id` and `client_secret`, the `Authorization` header is ignored; without a `client_secret`, the header authenticates, with an API key or as `Basic`, and a `client_id` must be the same as in the header. Unknown parameters are ignored. A request for a scope that the credential lacks gets 403. The token ends after 3600 seconds, or with its credential. A credential, and each person, has at most 100 valid tokens; further requests get 429 until one expires. Keep a token until it expires instead of requesting one for each call.\n\nA person signs in with the identity provider of the service provider. Send the ID token as `assertion` within ten minutes of its issue, with `sp_id`. The token has the operations of the person's role. Each ID token can be exchanged once.\n\nOAuth 2 libraries can use the client credentials grant (RFC 6749, 4.4), with the id and secret in the form or in an `Authorization: Basic` header. The response to a form has `scope` as one text. An error response to a form also has `error` and `error_description` (RFC 6749, 5.2).",
  query: noQuery,
  body: tokenRequest,
  maxBodyBytes: 16 * 1024,
  secrets: ["body.client_secret", "body.assertion", "body.client_assertion"],
  requests: {
    clientCredentials: {
      summary: "With a client id and secret",
      body: { client_id: exampleClientId, client_secret: exampleSecret, grant_type: "client_credentials", scope },
    },
    apiKey: { summary: "With an API key in the Authorization header", body: { grant_type: "client_credentials" } },
    idToken: {
      summary: "With the ID token of a person",
      body: { grant_type: jwtBearer, assertion: exampleIdToken, sp_id: exampleIds.serviceProvider },
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
        assertion: {
          code: "assertion_rejected",
          message: "The assertion was rejected: it has expired. Sign in again.",
          oauth: {
            error: "invalid_grant",
            error_description: "The assertion was rejected: it has expired. Sign in again.",
          },
        },
        form: {
          message: "A valid client_id and client_secret are needed.",
          oauth: { error: "invalid_client", error_description: "A valid client_id and client_secret are needed." },
        },
      },
    },
    403: {
      description: "The credential does not hold a requested scope, or the person has no role.",
      examples: {
        role: {
          code: "role_missing",
          message:
            "No claim of the ID token gives a role. Request one from the administrator of your identity provider.",
        },
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
            "body.grant_type": { message: mustBeGrant, value: "password" },
            "body.client_id": { message: "is required together with client_secret" },
          },
        },
        form: {
          fields: { "body.grant_type": { message: mustBeGrant, value: "password" } },
          oauth: { error: "unsupported_grant_type", error_description: `grant_type ${mustBeGrant}` },
        },
      },
    },
    429: {
      description:
        "The credential has 100 valid tokens: `Retry-After` says when the first of them expires. Or there were too many requests.",
      examples: {
        tokens: {
          code: "token_limit",
          message: "The caller has 100 valid access tokens, the maximum: reuse one, or wait until one expires.",
        },
        throttled: {},
      },
    },
  },
  permissionSets: ["tokens:issue"],
});
