import { createCrbAccess } from "../../shared/api/operations/crbs.ts";
import { toPerson } from "../../shared/api/schemas/person.ts";
import { issueCrbAccess } from "../../shared/auth/crbAccess.ts";
import { findExpiryIssue } from "../../shared/auth/credentialAge.ts";
import { restrictToCrbScopes } from "../../shared/auth/scopes.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { noteRevocations } from "../../shared/domain/documents/journal.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  createCrbAccess,
  async ({ path, body, principal }) => {
    const issued = await issueCrbAccess(serviceTable(), {
      spId: path.sp_id,
      crbId: path.crb_id,
      scopes: restrictToCrbScopes(principal.scopes),
      issuedBy: principal.clientId,
      key: principal.key,
      keyEndsWith: principal.keyEndsWith,
      issuedByPerson: toPerson(principal.person),
      name: body?.name,
      expiresAt: body?.expires_date === undefined ? undefined : new Date(body.expires_date),
      allowedCidrs: body?.allowed_cidrs,
      beforeRevocation: (clientIds) => noteRevocations(serviceBucket(), clientIds),
    });
    return json(issued);
  },
  async (_path, body) => {
    const sent = (body as { expires_date?: unknown } | null | undefined)?.expires_date;
    const expiresAt = typeof sent === "string" ? new Date(sent) : undefined;
    const message = expiresAt && findExpiryIssue(expiresAt);
    return message === undefined ? {} : { "body.expires_date": { message } };
  },
);
