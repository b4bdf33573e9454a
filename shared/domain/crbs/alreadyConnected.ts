import { conflict, type ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { isAbandoned } from "./alreadyInvited.ts";

/**
 * The error for an organization that is already connected (docs/spec.md#same-organization). After a restore, the index by
 * organization may name CRBs that are not stored or have no association. They connect nothing, nor does an abandoned invitation.
 *
 * @param crbIds the other CRBs of the organization (`findOrganization`)
 * @returns undefined if none of them has an association
 * @throws TransactionCanceledException if a CRB is just being stored
 */
export async function alreadyConnected(table: Table, crbIds: readonly string[]): Promise<ServiceError | undefined> {
  for (const crbId of crbIds) {
    // Another read may miss a CRB that is just being stored, although the index names it already.
    const [item] = (await table.transactGet([crbKey(crbId)])).values();
    const crb = item && toCrb(item);
    if (!crb || crb.endedAt || (await isAbandoned(table, crbId))) continue;
    const message = "The service provider already has a CRB of this organization.";
    return conflict("already_connected", message, { org_id: crbId, name: crb.record.name });
  }
  return undefined;
}
