import { conflict } from "../../shared/api/errors.ts";
import { revokeCredential } from "../../shared/api/operations/credentials.ts";
import { readCredentials } from "../../shared/auth/credentialPages.ts";
import { loadCredential } from "../../shared/auth/credentials.ts";
import { revokeCredentialJournaled } from "../../shared/domain/crbs/journaledCrbChanges.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(revokeCredential, async ({ path, query, principal }) => {
  const table = serviceTable();
  const { client_id: clientId } = await loadCredential(table, path.sp_id, path.client_id);
  if (clientId === principal.clientId)
    throw conflict("credential_in_use", "A credential cannot revoke itself. Use another one, or contact the operator.");
  const kept = { keepIssued: query.keep_issued, keepMade: query.keep_made };
  await revokeCredentialJournaled({ table, bucket: serviceBucket() }, clientId, kept);
  const [revoked] = await readCredentials(table, [clientId]);
  return record(revoked && JSON.stringify(revoked), "credential");
});
