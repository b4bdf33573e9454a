import { conflict, type ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";

/**
 * What docs/spec.md#same-organization refuses with.
 *
 * @param crbId the CRB that is the same organization
 * @param name of the organization that was to be connected
 */
export async function alreadyConnected(table: Table, crbId: string, name: string): Promise<ServiceError> {
  const existing = await readCrb(table, crbId);
  return conflict("The organization is connected already.", { org_id: crbId, name: existing?.record.name ?? name });
}
