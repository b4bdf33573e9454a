import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { notFound } from "../../api/errors.ts";
import type { ReconciliationSettings } from "../../api/schemas/reconciliation.ts";
import { exists, type Item, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { reconciledCrbKey, reconciliationSettingsKey } from "../../store/keys/deposits.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";

/** The CRB whose deposits are stored, and its service provider. */
export interface DepositOwner {
  spId: string;
  crbId: string;
}

/** The settings of a CRB, and the numbers of its stored deposits and cash counts. */
export interface StoredSettings extends ReconciliationSettings {
  deposits: number;
  counts: number;
  /** Whether the CRB is in the list of all CRBs with settings, deposits or counts. */
  isStored: boolean;
}

const defaults: ReconciliationSettings = {
  since: null,
  never_cash: [],
  tolerance_amount: 10_000,
  tolerance_percent: 5,
  max_days_without_deposit: 10,
};

const settingNames = Object.keys(defaults) as (keyof ReconciliationSettings)[];

/** @param item the stored item; undefined if nothing is stored yet */
export function toSettings(item: Item | undefined): StoredSettings {
  const { deposits = 0, counts = 0, ...stored } = (item ?? {}) as Partial<StoredSettings>;
  return { ...defaults, ...stored, deposits, counts, isStored: item !== undefined };
}

/** The fields of the settings that callers see. */
export function toSettingsResponse(settings: StoredSettings): ReconciliationSettings {
  return Object.fromEntries(settingNames.map((name) => [name, settings[name]])) as unknown as ReconciliationSettings;
}

export async function readSettings(table: Table, crbId: string): Promise<StoredSettings> {
  return toSettings(await table.get(reconciliationSettingsKey(crbId), { consistent: true }));
}

/** Lists a CRB among those with deposits, counts or settings, unless it is listed already. */
export function listingWrites(table: Table, crbId: string, { isStored }: StoredSettings): TransactWriteItem[] {
  return isStored ? [] : [table.putWrite({ ...reconciledCrbKey(crbId) })];
}

/**
 * Changes settings of a CRB.
 *
 * @throws ServiceError "notFound" if the association of the CRB has ended
 */
export async function changeSettings(
  table: Table,
  { spId, crbId }: DepositOwner,
  changes: Partial<ReconciliationSettings>,
  clock: Clock = systemClock,
): Promise<ReconciliationSettings> {
  return retryOnConflict(clock, async () => {
    const stored = await readSettings(table, crbId);
    // Of simultaneous calls, each keeps the settings that it does not name.
    const isEmpty = Object.keys(changes).length === 0;
    const writes = [
      table.checkWrite(associationKey(spId, crbId), exists),
      ...(isEmpty
        ? []
        : [table.setWrite(reconciliationSettingsKey(crbId), changes), ...listingWrites(table, crbId, stored)]),
    ];
    await table.transact(writes).catch((error) => {
      throw isUnmet(error, 0) ? notFound("CRB") : error;
    });
    return toSettingsResponse(await readSettings(table, crbId));
  });
}
