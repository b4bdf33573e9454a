import { defineOperation, E3, E4, readsAsProvider } from "../operation.ts";
import { noQuery, pagedQuery, revocationQuery } from "../parameters.ts";
import { credential } from "../schemas/credential.ts";
import { credentialKeySet } from "../schemas/credentialKeys.ts";
import { listOf } from "../schemas/list.ts";
import { exampleIds, exampleList } from "./examples.ts";

const credentials = "/service-providers/{sp_id}/credentials";

const exampleCredential = {
  client_id: exampleIds.credential,
  name: "Nightly report",
  kind: "program" as const,
  owner: { kind: "crb" as const, id: exampleIds.crb },
  scopes: ["crb:read" as const, "point-of-sale:read" as const],
  created_date: "2026-03-02T09:15:00.000Z",
  created_by: exampleIds.issuer,
  created_by_person: null,
  last_used_date: "2026-03-14",
  expires_date: null,
  allowed_cidrs: null,
  keys: [],
  status: "active" as const,
};

const exampleKey = {
  kty: "EC" as const,
  kid: "2026-03",
  crv: "P-256" as const,
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};

export const listCredentials = defineOperation({
  handler: "credentials/listCredentials",
  routes: [{ operationId: "listCredentials", path: credentials, ...readsAsProvider }],
  tag: "Credentials",
  summary: "List the credentials",
  description:
    "Lists your own credentials and those that you issued for CRBs, newest first, including expired and revoked ones. Secrets are shown only when a credential is issued. Access tokens are not listed: they end with their credential.",
  query: pagedQuery,
  businessField: "owner",
  success: {
    schema: listOf(credential),
    description: "A page of credentials",
    example: exampleList(exampleCredential),
  },
  errors: E3,
  permissionSets: ["credentials:list"],
});

export const revokeCredential = defineOperation({
  handler: "credentials/revokeCredential",
  routes: [
    {
      operationId: "revokeCredential",
      method: "DELETE",
      path: `${credentials}/{client_id}`,
      caller: "serviceProvider",
      scope: "create-crb-api-key:write",
    },
  ],
  tag: "Credentials",
  summary: "Revoke a credential",
  description:
    "Ends the credential, its access tokens and every credential that it issued. Also disables the webhook endpoints that it registered or changed, deletes their secrets at once, withdraws the invitations that it made, cancels its open uploads, and deletes the exports that it created or whose links it received. Ends the keys that it added to other credentials, and what tokens of these keys issued and created. Links to documents stay valid for up to an hour. CRBs and documents stay. This cannot be undone. If a call fails, repeat it to finish the work. To replace a credential that has not leaked, send `keep_issued=true` and `keep_made=true`. A credential can revoke those that it issued, and others only if it holds all their scopes. A credential or one of its tokens cannot revoke that same credential.",
  query: revocationQuery,
  businessField: "owner",
  success: {
    schema: credential,
    description: "The credential, revoked",
    example: { ...exampleCredential, status: "revoked" as const },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The credential to revoke is the one that authenticates this request.",
      examples: {
        itself: {
          code: "credential_in_use",
          message: "A credential cannot revoke itself. Use another one, or contact the operator.",
        },
      },
    },
  },
  permissionSets: ["credentials:revoke"],
});

export const setCredentialKeys = defineOperation({
  handler: "credentials/setCredentialKeys",
  routes: [
    {
      operationId: "setCredentialKeys",
      method: "PUT",
      path: `${credentials}/{client_id}/keys`,
      caller: "serviceProvider",
      scope: "service-provider:write",
      additionalScope: "create-crb-api-key:write",
      // A key gives access to all that the credential reads.
      holdsCustomers: "always",
    },
  ],
  tag: "Credentials",
  summary: "Set the public keys of a credential",
  description:
    "Sets the keys with which a program proves its identity at `exchangeToken` in place of a secret: it signs a `client_assertion` (`private_key_jwt`, RFC 7523). Send all keys of the credential as a JWK set: RSA keys of 2048 to 4096 bits, or keys of the curve P-256. Private keys get 422. To replace a key without a gap, send the old and the new one, and later only the new one. A key that you leave out ends, with all tokens that it made. A caller sets keys only for a credential whose every scope it holds. If the credential that added a key to another one is revoked or expires, the key ends, unless the revocation has `keep_made=true`. The same keys change nothing.",
  query: noQuery,
  body: credentialKeySet,
  maxBodyBytes: 64 * 1024,
  secrets: ["body.keys"],
  requests: { one: { summary: "One key", body: { keys: [exampleKey] } } },
  businessField: "owner",
  success: {
    schema: credential,
    description: "The credential with its keys",
    example: {
      ...exampleCredential,
      keys: [
        {
          kid: exampleKey.kid,
          thumbprint: "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
          created_date: "2026-03-02T09:15:00.000Z",
          created_by: exampleIds.issuer,
          created_by_person: null,
        },
      ],
    },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The credential was revoked or has expired.",
      examples: {
        ended: {
          code: "status_not_allowed",
          message: "The credential was revoked or has expired: set the keys of an active one.",
        },
      },
    },
  },
  permissionSets: ["credentialKeys:set"],
});
