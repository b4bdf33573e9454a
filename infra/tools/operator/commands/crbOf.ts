import type { ServiceProvider } from "../../../../shared/api/schemas/serviceProvider.ts";
import type { Table } from "../../../../shared/store/client.ts";
import type { Crb } from "../../../../shared/store/crb.ts";
import { readCrb, readServiceProvider } from "../../../../shared/store/crbs.ts";
import { associationKey } from "../../../../shared/store/keys/crbs.ts";
import { isRestoring } from "../../../../shared/store/restoration.ts";
import { StageError } from "../../../cli/stageError.ts";

/** The error for an id that no CRB of the stage has. */
export const noCrb = (crbId: string) => new StageError(`There is no CRB ${crbId}: crb list shows all ids.`);

/** @throws StageError if there is no such CRB */
export async function crbOf(table: Table, crbId: string): Promise<Crb> {
  const crb = await readCrb(table, crbId);
  if (!crb) throw noCrb(crbId);
  return crb;
}

/** @throws StageError if there is no such CRB, or it is being restored, so that its lists must not change */
export async function openCrbOf(table: Table, crbId: string): Promise<Crb> {
  const crb = await crbOf(table, crbId);
  if (await isRestoring(table, crbId)) {
    throw new StageError(`${crb.record.name} is being restored: lists progress shows when it opens.`);
  }
  return crb;
}

/** @throws StageError if there is no such CRB, it is being restored, or its association has ended */
export async function associatedCrbOf(table: Table, crbId: string): Promise<Crb> {
  const crb = await openCrbOf(table, crbId);
  if (!(await table.get(associationKey(crb.serviceProviderId, crbId)))) {
    throw new StageError(`${crb.record.name} has no service provider: its association has ended.`);
  }
  return crb;
}

/** @throws StageError if there is no such service provider */
export async function serviceProviderOf(table: Table, spId: string): Promise<ServiceProvider> {
  const provider = await readServiceProvider(table, spId);
  if (!provider) throw new StageError(`There is no service provider ${spId}: service-provider list shows all ids.`);
  return provider;
}
