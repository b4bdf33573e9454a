import { listCredentials } from "../../shared/api/operations/credentials.ts";
import { readCredentialPage } from "../../shared/auth/credentialPages.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listCredentials, async ({ path, query }) => {
  const { total, credentials } = await readCredentialPage(serviceTable(), path.sp_id, query);
  return list({ total, records: credentials.map((credential) => JSON.stringify(credential)) }, query.offset);
});
