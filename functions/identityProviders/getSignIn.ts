import { notFound } from "../../shared/api/errors.ts";
import { getSignIn } from "../../shared/api/operations/identityProviders.ts";
import { findByShortName } from "../../shared/domain/identityProviders/storedIdentityProvider.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readServiceProvider } from "../../shared/store/crbs.ts";

export const handler = endpoint(getSignIn, async ({ path }) => {
  const table = serviceTable();
  const found = await findByShortName(table, path.short_name);
  const provider = found && (await readServiceProvider(table, found.spId));
  if (!provider) throw notFound("sign-in");
  const { issuer, client_id } = found.settings;
  return json({ name: provider.name, sp_id: found.spId, issuer, client_id });
});
