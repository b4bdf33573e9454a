import * as z from "zod";
import { defineOperation, E4, readsAsProvider, writesAsProvider } from "../operation.ts";
import { noQuery, revocationQuery } from "../parameters.ts";
import { identityProvider, identityProviderUpdate, shortName, signIn } from "../schemas/identityProvider.ts";
import { exampleIds } from "./examples.ts";

const path = "/service-providers/{sp_id}/identity-provider";
const write = { ...writesAsProvider, additionalScope: "create-crb-api-key:write" } as const;
const tag = "Persons";

const exampleSettings = {
  short_name: "front-range",
  issuer: "https://login.frontrange.example.com/oauth2/default",
  client_id: "0oa1f6c0b947d32e85a9",
  customers: false,
  roles: [
    { claim: "groups", value: "Compliance", role: "reviewer" as const },
    { claim: "groups", value: "Compliance leads", role: "administrator" as const },
  ],
};

const exampleProvider = {
  ...exampleSettings,
  status: "active" as const,
  credential_id: exampleIds.identityProvider,
  expires_date: "2027-03-02T09:15:00.000Z",
  changed_date: "2026-03-02T09:15:00.000Z",
  changed_by: exampleIds.issuer,
  changed_by_person: null,
};

/** The conflict of a person who would end the own session. */
const ownProvider = {
  code: "credential_in_use",
  message:
    "A person cannot remove the identity provider of the own session. Use the credential of a program, or contact the operator.",
} as const;

export const getIdentityProvider = defineOperation({
  handler: "identityProviders/getIdentityProvider",
  routes: [{ operationId: "getIdentityProvider", path, ...readsAsProvider }],
  tag,
  summary: "Read the identity provider",
  description: "The identity provider with which your staff sign in, and the claims that give them roles.",
  query: noQuery,
  success: { schema: identityProvider, description: "The identity provider", example: exampleProvider },
  errors: E4,
  permissionSets: ["identityProviders:read"],
});

export const setIdentityProvider = defineOperation({
  handler: "identityProviders/setIdentityProvider",
  routes: [{ operationId: "setIdentityProvider", method: "PUT", path, ...write }],
  tag,
  summary: "Set the identity provider",
  description:
    "Sets the OpenID Connect provider with which your staff sign in, and the claims that give them roles. A change ends the tokens of all persons, so they sign in again. The same settings change nothing, unless they were suspended or another credential made them. A credential can map only roles whose scopes it holds, and persons work only from its `allowed_cidrs`. If the credential is revoked or expires, the settings are suspended until another one sets them.",
  query: noQuery,
  body: identityProviderUpdate,
  requests: { groups: { summary: "Roles by groups", body: exampleSettings } },
  success: { schema: identityProvider, description: "The identity provider", example: exampleProvider },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "Another service provider has the short name, or the issuer with this client id.",
      examples: {
        shortName: {
          code: "short_name_taken",
          message: "Another service provider has this short_name: choose another one.",
        },
        issuer: {
          code: "identity_provider_taken",
          message:
            "Another service provider has this issuer with this client_id. Register an application of your own at the identity provider.",
        },
      },
    },
  },
  permissionSets: ["identityProviders:set"],
});

export const deleteIdentityProvider = defineOperation({
  handler: "identityProviders/deleteIdentityProvider",
  routes: [{ operationId: "deleteIdentityProvider", method: "DELETE", path, ...write }],
  tag,
  summary: "Remove the identity provider",
  description:
    "Ends the access of all persons within 60 seconds. As `revokeCredential` does for a credential, it also ends what persons issued and made, unless you send `keep_issued=true` and `keep_made=true`. If a call fails, repeat it to finish the work.",
  query: revocationQuery,
  success: {
    schema: identityProvider,
    description: "The identity provider as it was",
    example: { ...exampleProvider, status: "suspended" as const },
  },
  errors: [...E4, 409],
  rejections: {
    409: { description: "The person who sends the request signed in with it.", examples: { own: ownProvider } },
  },
  permissionSets: ["identityProviders:remove"],
});

export const getSignIn = defineOperation({
  handler: "identityProviders/getSignIn",
  routes: [{ operationId: "getSignIn", method: "GET", path: "/sign-in/{short_name}", caller: "nobody" }],
  tag,
  summary: "Find the identity provider of a short name",
  description:
    "What a page needs for the authorization code flow with PKCE. Exchange the ID token for an access token with `exchangeToken`.",
  path: z.object({ short_name: shortName.describe("The short name of the service provider") }),
  query: noQuery,
  requests: { known: { summary: "A short name", path: { short_name: exampleSettings.short_name } } },
  success: {
    schema: signIn,
    description: "The identity provider",
    example: {
      name: "Front Range Community Bank",
      sp_id: exampleIds.serviceProvider,
      issuer: exampleSettings.issuer,
      client_id: exampleSettings.client_id,
    },
  },
  errors: [404, 422],
  permissionSets: ["signIns:read"],
});
