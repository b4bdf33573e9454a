import { seal } from "../../../../shared/platform/crypto/sealing.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb } from "../../../../shared/store/crbs.ts";
import { linkedLicenseKey } from "../../../../shared/store/keys/licenses.ts";
import { stateKeysKey } from "../../../../shared/store/keys/stateSystems.ts";
import {
  connectionsWrite,
  keyAttribute,
  readStateConnections,
  type StoredConnection,
} from "../../../../shared/store/stateConnections.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import type { FakeMetrc } from "../../pos/fakes/fakeMetrc.ts";
import { type Paid, storeSalesDays } from "../deposits/givenDays.ts";

/** Connects a license of a CRB as the service does once Metrc has confirmed the key, with consent and a linked license. */
export async function givenStateConnection(
  table: Table,
  { crbId, spId }: { crbId: string; spId: string },
  { licenseNumber, userKey }: { licenseNumber: string; userKey: string },
): Promise<void> {
  const date = "2026-01-15T00:00:00.000Z";
  await changeCrb(table, crbId, (crb) => ({
    ...crb,
    consent: { termsVersion: "1", date, givenBy: crbId, stateSystems: ["Metrc"] },
  }));
  const license = linkedLicenseKey(spId, crbId, "CO-aaaaaaaaaaaaaaaaaaaaaa");
  const content = { license_identifier: licenseNumber, reported_license_type_description: "Retail Store" };
  await table.put({ ...license, version: 1, body: JSON.stringify(content) });
  const connection: StoredConnection = {
    system: "Metrc",
    state: "CO",
    connectedAt: new Date().toISOString(),
    firstConnectedAt: new Date().toISOString(),
    by: { kind: "invited_user", id: crbId, person: null },
    isViewOnly: false,
    due: date,
    readAt: null,
    againFrom: null,
    error: null,
    failed: 0,
  };
  const stored = await readStateConnections(table, crbId);
  await table.transact([
    connectionsWrite(table, { ...stored, licenses: { [licenseNumber]: connection } }),
    table.putWrite({ ...stateKeysKey(crbId), [keyAttribute(licenseNumber)]: await seal(crbId, { user_key: userKey }) }),
  ]);
}

/**
 * Stores complete sales days that are equal to the days of Metrc, except for some cents on single days.
 *
 * @param until the last of them, yyyy-MM-dd
 */
export async function storeEqualDays(
  table: Table,
  crbId: string,
  { metrc, until, count }: { metrc: FakeMetrc; until: string; count: number },
  changes: Readonly<Record<string, number>> = {},
): Promise<void> {
  const dates = Array.from({ length: count }, (_, i) => addDays(until, i + 1 - count));
  const paid = dates.map((date): [string, Paid] => [
    date,
    { cash: metrc.figuresOf(date).total + (changes[date] ?? 0) },
  ]);
  await storeSalesDays(table, crbId, Object.fromEntries(paid), until);
}
