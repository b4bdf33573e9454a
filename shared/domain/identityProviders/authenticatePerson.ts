import { personRoles } from "../../api/enumerations.ts";
import { forbidden } from "../../api/errors.ts";
import { UUID } from "../../api/patterns.ts";
import type { IdentityProviderSettings } from "../../api/schemas/identityProvider.ts";
import { requireAllowedAddress } from "../../auth/allowedAddresses.ts";
import { type Principal, requirePrincipal } from "../../auth/credentials.ts";
import { roleScopes } from "../../auth/roles.ts";
import { rejectedAssertion } from "../../auth/tokens.ts";
import { itemId, type Table } from "../../store/client.ts";
import { credentialKey, endedPersonKey } from "../../store/keys/credentials.ts";
import { readSettings } from "./storedIdentityProvider.ts";
import { verifyIdToken } from "./verifyIdToken.ts";

/**
 * Authenticates a person by an ID token of the service provider's identity provider (docs/spec.md#sign-in-of-persons). A
 * rejected token costs one read of the settings.
 *
 * @param address the source address of the request
 * @throws ServiceError "unauthorized" if the token is rejected, or the access of the person or of all persons has ended;
 * "forbidden" if the person has no role, or may not sign in from this address; "unavailable" if the identity provider
 * cannot be read
 */
export async function authenticatePerson(
  table: Table,
  { sp_id, assertion }: { sp_id: string; assertion: string },
  address: string | undefined,
): Promise<Principal> {
  const spId = sp_id.toLowerCase();
  const stored = UUID.test(spId) ? await readSettings(table, spId) : undefined;
  if (!stored) throw rejectedAssertion("the service provider has no identity provider. Compare sp_id with getSignIn");
  const { sub, name, claims, used } = await verifyIdToken(assertion, stored.settings, table.clock.now());
  const credential = credentialKey(stored.credential_id);
  const ended = endedPersonKey(spId, sub);
  const found = await table.batchGet([credential, ended], { consistent: true });
  if (found.has(itemId(ended))) throw rejectedAssertion("the operator has ended the access of this person");
  const item = found.get(itemId(credential));
  const principal = principalOf(() => requirePrincipal(item));
  const role = personRoles.findLast((each) =>
    stored.settings.roles.some((mapping) => mapping.role === each && hasValue(claims, mapping)),
  );
  if (!role)
    throw forbidden(
      "role_missing",
      "No claim of the ID token gives a role. Request one from the administrator of your identity provider.",
    );
  const person = { sub, name, role };
  const hasCustomers = stored.settings.customers && { hasCustomers: true as const };
  const signedIn = { ...principal, scopes: roleScopes[role], person, ...hasCustomers, assertion: used };
  return requireAllowedAddress(signedIn, address);
}

function principalOf(prove: () => Principal): Principal {
  try {
    return prove();
  } catch {
    throw rejectedAssertion("the settings of the identity provider are suspended. A credential must set them again");
  }
}

/** Whether a claim has exactly the value, or is a list with it. */
function hasValue(
  claims: Readonly<Record<string, unknown>>,
  { claim, value }: IdentityProviderSettings["roles"][number],
): boolean {
  const sent = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return sent === value || (Array.isArray(sent) && sent.includes(value));
}
