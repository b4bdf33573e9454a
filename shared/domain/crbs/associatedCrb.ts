import { notFound } from "../../api/errors.ts";
import type { Item, Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";

/**
 * Reads a CRB that is associated with its service provider. Also returns the CRB's item, for conditional changes.
 *
 * @throws ServiceError "notFound" if the CRB does not exist or its association has ended
 */
export async function associatedCrb(table: Table, crbId: string): Promise<{ item: Item; crb: Crb }> {
  const item = await table.get(crbKey(crbId), { consistent: true });
  if (!item) throw notFound("CRB");
  const crb = toCrb(item);
  if (!(await table.get(associationKey(crb.serviceProviderId, crbId), { consistent: true }))) throw notFound("CRB");
  return { item, crb };
}
