import { notFound } from "../../shared/api/errors.ts";
import { getSignIn } from "../../shared/api/operations/identityProviders.ts";
import { readSettings } from "../../shared/domain/identityProviders/storedIdentityProvider.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readServiceProvider } from "../../shared/store/crbs.ts";
import { shortNameKey } from "../../shared/store/keys/credentials.ts";

export const handler = endpoint(getSignIn, async ({ path }) => {
  const table = serviceTable();
  const claim = await table.get(shortNameKey(path.short_name), { consistent: true });
  if (!claim) throw notFound("sign-in");
  const spId = String(claim.sp_id);
  const [stored, provider] = await Promise.all([readSettings(table, spId), readServiceProvider(table, spId)]);
  if (!stored || !provider) throw notFound("sign-in");
  const { issuer, client_id } = stored.settings;
  return json({ name: provider.name, sp_id: spId, issuer, client_id });
});
