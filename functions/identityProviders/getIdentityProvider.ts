import { notFound } from "../../shared/api/errors.ts";
import { getIdentityProvider } from "../../shared/api/operations/identityProviders.ts";
import { readIdentityProvider, toRecord } from "../../shared/domain/identityProviders/storedIdentityProvider.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getIdentityProvider, async ({ path }) => {
  const found = await readIdentityProvider(serviceTable(), path.sp_id);
  if (!found) throw notFound("identity provider");
  return json(toRecord(found.stored, found.credential, new Date()));
});
