import type { Credential } from "../api/schemas/credential.ts";
import { toPerson } from "../api/schemas/person.ts";
import { itemId, type Table } from "../store/client.ts";
import { credentialKey, credentialUseKey } from "../store/keys/credentials.ts";
import { credentialStatus, type ListedCredential, listClientIds, listedAttributes } from "./credentials.ts";

/**
 * A page of the credentials that a service provider owns or has issued, newest first, and the total number of these
 * credentials. Cost: the function reads the keys of all credentials (about 7,000 per MB) and the credentials on the
 * page.
 */
export async function readCredentialPage(
  table: Table,
  spId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; credentials: Credential[] }> {
  const clientIds = await listClientIds(table, spId);
  const onPage = clientIds.slice(offset, offset + limit);
  return { total: clientIds.length, credentials: await readCredentials(table, onPage) };
}

/** Reads credentials consistently, in the order of the ids; unknown ids are omitted. */
export async function readCredentials(table: Table, clientIds: readonly string[]): Promise<Credential[]> {
  const [credentials, uses] = await Promise.all([
    table.batchGet(clientIds.map(credentialKey), { consistent: true, attributes: listedAttributes }),
    table.batchGet(clientIds.map(credentialUseKey), { consistent: true }),
  ]);
  const now = table.clock.now();
  return clientIds.flatMap((clientId) => {
    const credential = credentials.get(itemId(credentialKey(clientId))) as ListedCredential | undefined;
    const use = uses.get(itemId(credentialUseKey(clientId)));
    return credential ? toRecord(credential, (use?.last_used as string | undefined) ?? null, now) : [];
  });
}

const toRecord = (credential: ListedCredential, lastUsed: string | null, now: Date): Credential => ({
  client_id: credential.client_id,
  name: credential.name ?? null,
  kind: credential.persons ? "identity_provider" : "program",
  owner: { kind: credential.owner.kind === "crb" ? "crb" : "service_provider", id: credential.owner.id },
  scopes: credential.scopes,
  created_date: credential.created_at,
  created_by: credential.issued_by ?? null,
  created_by_person: toPerson(credential.issued_by_person),
  last_used_date: lastUsed,
  expires_date: credential.expires_at ?? null,
  allowed_cidrs: credential.allowed_cidrs ? [...credential.allowed_cidrs] : null,
  keys: Object.entries(credential.public_keys ?? {})
    .map(([thumbprint, { kid, added_at, added_by, added_by_person }]) => ({
      kid,
      thumbprint,
      created_date: added_at,
      created_by: added_by,
      created_by_person: toPerson(added_by_person),
    }))
    .sort((one, other) => (sortKeyOf(one) < sortKeyOf(other) ? -1 : 1)),
  status: credentialStatus(credential, now),
});

const sortKeyOf = ({ created_date, kid }: Credential["keys"][number]): string => `${created_date} ${kid}`;
