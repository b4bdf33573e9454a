import { conflict } from "../../shared/api/errors.ts";
import { revokeCredential } from "../../shared/api/operations/credentials.ts";
import { readCredentials } from "../../shared/auth/credentialPages.ts";
import { listCredentials, loadCredential } from "../../shared/auth/credentials.ts";
import { requireRevocationRight } from "../../shared/auth/revocationRights.ts";
import { revokeCredentialJournaled } from "../../shared/domain/crbs/journaledCrbChanges.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(revokeCredential, async ({ path, query, principal }) => {
  const table = serviceTable();
  const credential = await loadCredential(table, path.sp_id, path.client_id);
  const { client_id: clientId } = credential;
  if (clientId === principal.clientId)
    throw conflict("credential_in_use", "A credential cannot revoke itself. Use another one, or contact the operator.");
  requireRevocationRight(principal, credential, await listCredentials(table, path.sp_id));
  const options = { keepIssued: query.keep_issued, keepMade: query.keep_made, revokedBy: principal.clientId };
  await revokeCredentialJournaled({ table, bucket: serviceBucket() }, clientId, options);
  const [revoked] = await readCredentials(table, [clientId]);
  return record(revoked && JSON.stringify(revoked), "credential");
});
