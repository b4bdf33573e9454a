import { type IdentityProvider, type IdentityProviderSettings, shortName } from "../../api/schemas/identityProvider.ts";
import { type PersonName, toPerson } from "../../api/schemas/person.ts";
import { credentialStatus, type ListedCredential } from "../../auth/credentials.ts";
import type { Item, Table } from "../../store/client.ts";
import { credentialKey, identityProviderKey, shortNameKey } from "../../store/keys/credentials.ts";

/** The settings of an identity provider, as stored. */
export interface StoredIdentityProvider {
  settings: IdentityProviderSettings;
  /** Client id of the credential that the tokens of persons belong to. Every change of the settings makes another one. */
  credential_id: string;
  changed_at: string;
  changed_by: string | null;
  changed_by_person: PersonName | null;
}

/** Reads the settings of a service provider's identity provider consistently; undefined if there are none. */
export const readSettings = async (table: Table, spId: string): Promise<StoredIdentityProvider | undefined> =>
  (await table.get(identityProviderKey(spId), { consistent: true })) as (Item & StoredIdentityProvider) | undefined;

/** Finds the settings that have a short name; undefined if there are none. @param name any text, also of strangers */
export async function findByShortName(table: Table, name: string) {
  // Longer texts than 2,048 bytes are no keys of DynamoDB.
  if (!shortName.safeParse(name).success) return undefined;
  const claim = await table.get(shortNameKey(name), { consistent: true });
  if (!claim) return undefined;
  const spId = String(claim.sp_id);
  const stored = await readSettings(table, spId);
  return stored && { spId, settings: stored.settings };
}

/** Reads an identity provider and its credential consistently; undefined if the service provider has none. */
export async function readIdentityProvider(table: Table, spId: string) {
  const stored = await readSettings(table, spId);
  if (!stored) return undefined;
  const item = await table.get(credentialKey(stored.credential_id), { consistent: true });
  return { stored, credential: item as (Item & ListedCredential) | undefined };
}

/** Whether persons can sign in: the credential of the identity provider is active. */
export const isActive = (credential: ListedCredential | undefined, now: Date): credential is ListedCredential =>
  credential !== undefined && credentialStatus(credential, now) === "active";

/** The record of the API, with its fields in the same order at every read, which DynamoDB does not keep in maps. */
export const toRecord = (
  {
    settings: { short_name, issuer, client_id, customers, roles },
    credential_id,
    changed_at,
    changed_by,
    changed_by_person,
  }: StoredIdentityProvider,
  credential: ListedCredential | undefined,
  now: Date,
): IdentityProvider => ({
  ...{ short_name, issuer, client_id, customers },
  roles: roles.map(({ claim, value, role }) => ({ claim, value, role })),
  status: isActive(credential, now) ? "active" : "suspended",
  credential_id,
  expires_date: credential?.expires_at ?? null,
  changed_date: changed_at,
  changed_by,
  changed_by_person: toPerson(changed_by_person),
});
