import { personRoles } from "../../shared/api/enumerations.ts";
import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../shared/domain/identityProviders/setIdentityProvider.ts";
import type { Table } from "../../shared/store/client.ts";
import type { Application } from "./identityProvider/createProvider.ts";

export const demoShortName = "front-range";

const client_id = "console";

/** The application of the service at the demo's identity provider. @param baseUrl the address of the API */
export const demoApplication = (baseUrl: string): Application => ({
  client_id,
  // Browsers treat the two names of this machine as different addresses.
  redirect_uris: [baseUrl, baseUrl.replace("127.0.0.1", "localhost")].map((url) => `${url}/console/${demoShortName}`),
});

/** Sets the identity provider of the demo's service provider, unless it is set so. */
export async function prepareIdentityProvider(
  stores: { table: Table; bucket: Bucket },
  spId: string,
  issuer: string,
): Promise<void> {
  const roles = personRoles.map((role) => ({ claim: "groups", value: role, role }));
  const settings = { short_name: demoShortName, issuer, client_id, customers: false, roles };
  await setIdentityProvider(stores, spId, settings, undefined);
}
