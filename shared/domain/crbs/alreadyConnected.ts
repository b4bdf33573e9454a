import { conflict, type ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";

/**
 * The error of docs/spec.md#same-organization.
 *
 * @param crbId the connected CRB of the same organization
 * @param name name of the organization to connect
 */
export async function alreadyConnected(table: Table, crbId: string, name: string): Promise<ServiceError> {
  const existing = await readCrb(table, crbId);
  return conflict("The service provider already has a CRB of this organization.", {
    org_id: crbId,
    name: existing?.record.name ?? name,
  });
}
