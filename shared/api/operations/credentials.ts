import { defineOperation, E3, E4 } from "../operation.ts";
import { pagedQuery, revocationQuery } from "../parameters.ts";
import { credential } from "../schemas/credential.ts";
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
  last_used_date: "2026-03-14",
  expires_date: null,
  allowed_cidrs: null,
  status: "active" as const,
};

export const listCredentials = defineOperation({
  handler: "credentials/listCredentials",
  routes: [
    {
      operationId: "listCredentials",
      method: "GET",
      path: credentials,
      caller: "serviceProvider",
      scope: "service-provider:read",
    },
  ],
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
    "Ends the credential, its access tokens and every credential that it issued. Also disables the webhook endpoints that it registered or changed, deletes their secrets at once, withdraws the invitations that it made, cancels its open uploads, and deletes the exports that it created or whose links it received. Links to documents stay valid for up to an hour. CRBs and documents stay. This cannot be undone. If a call fails, repeat it to finish the work. To replace a credential that has not leaked, send `keep_issued=true` and `keep_made=true`. A credential can revoke those that it issued, and others only if it holds all their scopes. A credential or one of its tokens cannot revoke that same credential.",
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
