import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import { searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { serviceTable } from "../../../../shared/store/client.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { type Clock, systemClock } from "../../../../shared/time/clock.ts";
import { fileRows } from "../licenses/registerFile.ts";

/** A row of a register. `expires_in` is the number of days until the license expires. */
export interface LicenseRow {
  number: string;
  status?: string;
  expires_in?: number;
  values?: Record<string, string>;
}

/** Imports rows into the register of Colorado. */
export async function importRows(rows: readonly LicenseRow[], clock: Clock = systemClock, part?: string) {
  const today = clock.now().toISOString().slice(0, 10);
  const values = rows.map(({ number, status = "Active", expires_in: days, values: more }) => ({
    license_identifier: number,
    reported_license_status: status,
    ...(days !== undefined && { expires_at: addDays(today, days) }),
    ...more,
  }));
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  return importRegister(stores, { state: "CO", authority: undefined, part }, fileRows(values), { clock });
}

/** The id of the license with a number in the register of Colorado. */
export async function licenseIdOf(number: string): Promise<string> {
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const terms = { licenseNumber: number, state: "CO" } as const;
  const { records } = await (await searchLicenses(stores, terms, { offset: 0, limit: 1 })).read();
  return JSON.parse(records[0] ?? "{}").id;
}
