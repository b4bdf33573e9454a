import { itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { credentialKey, personKey } from "../../store/keys/credentials.ts";
import type { LoggedAccess } from "../accessLog/accessLines.ts";

/** Who made a request, as a reader recognizes them. */
interface AccessPrincipal {
  kind: "person" | "service_provider" | "crb" | "invited_user";
  /** the person's id at the identity provider, the client id, or the invitation */
  id: string;
  /** the name of the person or the label of the credential; null if none is known */
  name: string | null;
}

/** The names that a report adds to a line of the access log. */
export type NamesOf = (entry: LoggedAccess) => { principal: AccessPrincipal; crb_name: string | null };

const kinds = { serviceProvider: "service_provider", crb: "crb", invitedUser: "invited_user" } as const;

/**
 * Reads the present names of the persons, credentials and CRBs in some lines. A credential or a CRB of another service provider
 * has no name, nor has a CRB whose association has ended.
 *
 * @param entries lines of this service provider
 */
export async function readNames(table: Table, spId: string, entries: readonly LoggedAccess[]): Promise<NamesOf> {
  const idsOf = (id: (entry: LoggedAccess) => string | null) => [
    ...new Set(entries.flatMap((entry) => id(entry) ?? [])),
  ];
  const keys = [
    ...idsOf(({ sub }) => sub).map((sub) => personKey(spId, sub)),
    ...idsOf(({ client_id }) => client_id).map(credentialKey),
    ...idsOf(({ crb_id }) => crb_id).map(crbKey),
  ];
  const items = await table.batchGet(keys);
  const now = table.clock.now().getTime() / 1_000;
  const personName = (sub: string) => {
    const person = items.get(itemId(personKey(spId, sub)));
    return person && (person.expires as number) > now ? (person.name as string | null) : null;
  };
  const credentialName = (clientId: string) => {
    const credential = items.get(itemId(credentialKey(clientId)));
    return credential?.sp_id === spId ? ((credential.name as string | undefined) ?? null) : null;
  };
  const crbName = (crbId: string) => {
    const item = items.get(itemId(crbKey(crbId)));
    const crb = item && toCrb(item);
    return crb?.serviceProviderId === spId && !crb.endedAt ? crb.record.name : null;
  };
  return ({ sub, client_id, owner, crb_id }) => ({
    principal:
      sub === null
        ? { kind: kinds[owner.kind as keyof typeof kinds], id: client_id, name: credentialName(client_id) }
        : { kind: "person", id: sub, name: personName(sub) },
    crb_name: crb_id && crbName(crb_id),
  });
}
