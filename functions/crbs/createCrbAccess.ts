import { issueCrbAccess } from "../../shared/access/crbAccess.ts";
import { grantedToCrb } from "../../shared/access/scopes.ts";
import { createCrbAccess } from "../../shared/api/operations/crbs.ts";
import { serviceBucket } from "../../shared/documents/bucket.ts";
import { noteRevocations } from "../../shared/documents/journal.ts";
import { json } from "../../shared/endpoint/answer.ts";
import { endpoint } from "../../shared/endpoint/endpoint.ts";
import { serviceTable } from "../../shared/table/client.ts";

export const handler = endpoint(createCrbAccess, async ({ path, grant }) => {
  const scopes = grantedToCrb(grant.scopes);
  const pair = { spId: path.sp_id, crbId: path.crb_id, scopes, issuedBy: grant.clientId };
  const revoking = (clientIds: readonly string[]) => noteRevocations(serviceBucket(), clientIds);
  return json(await issueCrbAccess(serviceTable(), { ...pair, revoking }));
});
