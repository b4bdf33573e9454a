import { conflict, type ServiceError } from "../../api/errors.ts";
import type { Crb as CrbRecord } from "../../api/schemas/crb.ts";
import { itemId, type Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { invitationKey, invitationsKey } from "../../store/keys/invitations.ts";
import type { Invitation } from "../invitations/invitations.ts";

/**
 * Finds an open invitation of the same business: of a CRB without a POS, and not every user's invitation has ended. The
 * business is the same if it has the same EIN, or the same name and state and a user with the same address.
 *
 * @param ids CRBs that may be the same organization (`findOrganization`)
 */
export async function findInvited(
  table: Table,
  ids: readonly string[],
  { ein }: CrbRecord,
  invitations: readonly Invitation[],
): Promise<Crb | undefined> {
  const wanted = new Set(invitations.map(addressOf));
  const crbs = await readCandidates(table, ids);
  for (const { crb, invited } of crbs) {
    const isSame = ein !== null && crb.record.ein === ein;
    if (!isSame && !invited.some((invitation) => wanted.has(addressOf(invitation)))) continue;
    if (!(await haveEnded(table, crb.record.id, invited))) return crb;
  }
  return undefined;
}

/** Whether none of these invitations is open. */
async function haveEnded(table: Table, crbId: string, invited: readonly Invitation[]): Promise<boolean> {
  const keys = invited.map(({ id }) => invitationKey(crbId, id));
  const items = await table.batchGet(keys, { consistent: true });
  return keys.every((key) => items.get(itemId(key))?.ended !== undefined);
}

/**
 * Whether an invited CRB has no POS, and each of its invitations has ended. A user whose mail bounced may still have a link from
 * elsewhere, so a transaction that depends on it checks the version of the CRB.
 */
export async function isAbandoned(table: Table, crbId: string): Promise<boolean> {
  const [candidate] = await readCandidates(table, [crbId]);
  return candidate !== undefined && haveEnded(table, crbId, candidate.invited);
}

const addressOf = ({ email }: Invitation): string => email.toLowerCase();

/** The CRBs without a POS among these, with their invitations. */
async function readCandidates(table: Table, ids: readonly string[]): Promise<{ crb: Crb; invited: Invitation[] }[]> {
  const keys = ids.flatMap((id) => [crbKey(id), invitationsKey(id)]);
  const items = await table.batchGet(keys, { consistent: true });
  return ids.flatMap((id) => {
    const item = items.get(itemId(crbKey(id)));
    const invited = (items.get(itemId(invitationsKey(id)))?.invitations as Invitation[] | undefined) ?? [];
    const crb = item && toCrb(item);
    return crb && crb.connection === null && invited.length > 0 ? [{ crb, invited }] : [];
  });
}

/** The error for a business with an open invitation (docs/spec.md#checks-of-a-new-crb). */
export const alreadyInvited = ({ record: { id, name } }: Crb): ServiceError =>
  conflict(
    "already_invited",
    "The service provider has already invited this business, which has not connected a POS yet.",
    { org_id: id, name },
  );
