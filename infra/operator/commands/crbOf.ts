import type { Table } from "../../../shared/table/client.ts";
import type { Crb } from "../../../shared/table/crb.ts";
import { readCrb } from "../../../shared/table/crbs.ts";
import { associationKey } from "../../../shared/table/keys.ts";
import { StageError } from "../../local/stageError.ts";

/** @throws StageError when there is no such CRB */
export async function crbOf(table: Table, crbId: string): Promise<Crb> {
  const crb = await readCrb(table, crbId);
  if (!crb) throw new StageError(`There is no CRB ${crbId}.`);
  return crb;
}

/** @throws StageError when there is no such CRB, or its association has ended */
export async function associatedCrbOf(table: Table, crbId: string): Promise<Crb> {
  const crb = await crbOf(table, crbId);
  if (!(await table.get(associationKey(crb.serviceProviderId, crbId)))) {
    throw new StageError(`${crb.record.name} is associated with no service provider.`);
  }
  return crb;
}
