import { conflict, type ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";

/**
 * The error for an organization that is already connected (docs/spec.md#same-organization).
 *
 * @param crbId the CRB that is already connected
 * @param name name of the organization that the caller tried to connect
 */
export async function alreadyConnected(table: Table, crbId: string, name: string): Promise<ServiceError> {
  const existing = await readCrb(table, crbId);
  return conflict("already_connected", "The service provider already has a CRB of this organization.", {
    org_id: crbId,
    name: existing?.record.name ?? name,
  });
}
