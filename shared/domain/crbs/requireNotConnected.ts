import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { conflict } from "../../api/errors.ts";
import { type Table, unchanged } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { isAbandoned } from "./alreadyInvited.ts";

/**
 * Checks that an organization is not connected already (docs/spec.md#same-organization). After a restore, the index by organization
 * may name CRBs that are not stored or have no association. They connect nothing.
 *
 * @param crbIds the other CRBs of the organization (`findOrganization`)
 * @returns checks for the transaction, that no abandoned invitation is connected meanwhile
 * @throws ServiceError "conflict" for a CRB that is associated, and not abandoned; TransactionCanceledException if a CRB is just
 *   being stored
 */
export async function requireNotConnected(table: Table, crbIds: readonly string[]): Promise<TransactWriteItem[]> {
  const checks: TransactWriteItem[] = [];
  for (const crbId of crbIds) {
    // Another read may miss a CRB that is just being stored, although the index names it already.
    const [item] = (await table.transactGet([crbKey(crbId)])).values();
    const crb = item && toCrb(item);
    if (!crb || crb.endedAt) continue;
    if (!(await isAbandoned(table, crbId))) {
      const message = "The service provider already has a CRB of this organization.";
      throw conflict("already_connected", message, { org_id: crbId, name: crb.record.name });
    }
    checks.push(table.checkWrite(crbKey(crbId), unchanged("version", item.version)));
  }
  return checks;
}
