import { deleteIdentityProvider } from "../../shared/api/operations/identityProviders.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { removeIdentityProvider } from "../../shared/domain/identityProviders/removeIdentityProvider.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteIdentityProvider, async ({ path, query, principal }) => {
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const options = { keepIssued: query.keep_issued, keepMade: query.keep_made };
  return json(await removeIdentityProvider(stores, path.sp_id, principal, options));
});
