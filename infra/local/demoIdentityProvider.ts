import type { PersonRole } from "../../shared/api/enumerations.ts";
import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../shared/domain/identityProviders/setIdentityProvider.ts";
import type { Table } from "../../shared/store/client.ts";

/** The short name of the demo's service provider. */
export const demoShortName = "front-range";

const demoRoles = (["viewer", "reviewer", "administrator"] as const).map((role: PersonRole) => ({
  claim: "groups",
  value: role,
  role,
}));

/** Sets the identity provider of the demo's service provider, unless it is set so. */
export async function prepareIdentityProvider(
  stores: { table: Table; bucket: Bucket },
  spId: string,
  issuer: string,
): Promise<void> {
  const settings = { short_name: demoShortName, issuer, client_id: "console", customers: false, roles: demoRoles };
  await setIdentityProvider(stores, spId, settings, undefined);
}
