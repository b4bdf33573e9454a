import type { StateConnectionError } from "../../api/enumerations.ts";
import { unseal } from "../../platform/crypto/sealing.ts";
import { PosError } from "../../pos/connector.ts";
import { withRequestGuard } from "../../pos/framework/requestGuard.ts";
import type { MetrcAccess, MetrcOptions } from "../../pos/metrc/metrcAccess.ts";
import { readStateDays as readMetrc, type StateDaysReading } from "../../pos/metrc/readStateDays.ts";
import { confirmStateDay, type StateDay, type StoredStateDay } from "../../pos/metrc/stateDay.ts";
import { type MetrcKeyCheck, verifyMetrcKey } from "../../pos/metrc/verifyMetrcKey.ts";
import { metrcVendorKey } from "../../pos/partnerKeys.ts";
import type { Table } from "../../store/client.ts";
import { stateKeysKey } from "../../store/keys/stateSystems.ts";
import { keyAttribute, type StoredConnection } from "../../store/stateConnections.ts";
import { readStateDays, type StateDayItem } from "../../store/stateDays.ts";
import { addDays } from "../../time/addDays.ts";
import type { Clock } from "../../time/clock.ts";
import { localDay } from "../../time/localTime.ts";

/** Days that a first reading reads. */
const firstDays = 31;
/** Days back to which later changes of receipts are followed. */
const followedDays = 90;

/**
 * The first reading in each week since the connection reads all followed days: the changes alone do not show which day a
 * receipt has left when its date of sale is corrected.
 */
const weekMs = 7 * 86_400_000;

/** A reading of the days of one license. */
export interface LicenseReading {
  crbId: string;
  licenseNumber: string;
  timezone: string;
  connection: StoredConnection;
}

export interface ReadLicenseOptions {
  clock: Clock;
  /** The reading ends before. */
  deadline: Date;
  /** Called before each request to the system; throws if the license may no longer be read. */
  permit: () => Promise<void>;
  metrc?: MetrcOptions;
}

/** The result of a reading: the days that have changed, and the connection after it. */
export interface ReadLicense {
  days: StateDayItem<StateDay>[];
  connection: StoredConnection;
  /** Whether no older day is left to read. */
  isWhole?: boolean;
}

/**
 * Reads the days of a license that have changed since its last reading. Stores nothing.
 *
 * @returns the reason if the state's system does not permit the reading
 * @throws PosError if the state's system cannot be read
 */
export async function readLicense(
  table: Table,
  reading: LicenseReading,
  options: ReadLicenseOptions,
): Promise<ReadLicense | StateConnectionError> {
  const { connection } = reading;
  const access = await accessOf(table, reading);
  if (!access) return "key_refused";
  const work = () => readChanges(access, reading, options);
  try {
    const read = await withRequestGuard(options.permit, work);
    const days = await mergedDays(table, reading, read);
    const isWhole = read.unreadFrom === null;
    return { days, isWhole, connection: { ...connection, ...afterReading(days, read), error: null, failed: 0 } };
  } catch (error) {
    if (!(error instanceof PosError) || !isDenied(error)) throw error;
    // A missing permission gets the same response as a rejected key, so the check decides which it is.
    const check = await withRequestGuard(options.permit, () => verifyMetrcKey(access, options.metrc));
    if (check.status !== "refused") throw error;
    return errorOf[check.reason];
  }
}

const isDenied = ({ failure }: PosError) =>
  failure === "credentialsRefused" || failure === "notPermitted" || failure === "locationGone";

type Refusal = Extract<MetrcKeyCheck, { status: "refused" }>["reason"];

const errorOf: Readonly<Record<Refusal, StateConnectionError>> = {
  key: "key_refused",
  license_missing: "license_missing",
  may_manage_sales: "key_may_manage_sales",
  no_view_sales: "key_cannot_view_sales",
};

/** The keys of a license; undefined if the key of the connection is not stored. */
async function accessOf(
  table: Table,
  { crbId, licenseNumber, connection: { state } }: LicenseReading,
): Promise<MetrcAccess | undefined> {
  const sealed = (await table.get(stateKeysKey(crbId), { consistent: true }))?.[keyAttribute(licenseNumber)];
  if (!sealed) return undefined;
  const { user_key } = await unseal(crbId, sealed as Uint8Array);
  return { state, vendorKey: await metrcVendorKey(state), userKey: String(user_key), licenseNumber };
}

function readChanges(
  access: MetrcAccess,
  { timezone, connection: { connectedAt, firstConnectedAt, readAt, againFrom } }: LicenseReading,
  { clock, deadline, metrc }: ReadLicenseOptions,
): Promise<StateDaysReading> {
  const toDate = localDay(clock.now(), timezone);
  const begin = addDays(localDay(new Date(firstConnectedAt), timezone), -firstDays);
  const [, fromDate = begin] = [begin, addDays(toDate, -followedDays)].sort();
  const remainingMs = () => deadline.getTime() - clock.now().getTime();
  const weekOf = (at: number) => Math.floor((at - new Date(connectedAt).getTime()) / weekMs);
  const isSameWeek = readAt !== null && weekOf(Date.parse(readAt)) === weekOf(clock.now().getTime());
  const since = isSameWeek ? readAt : null;
  const request = { ...access, timeZone: timezone, fromDate, toDate, since, againFrom, remainingMs };
  return readMetrc(request, { clock, ...metrc });
}

/** The days of a reading, combined with the stored ones: a day that shrinks waits for a second reading. */
async function mergedDays(
  table: Table,
  { crbId, licenseNumber, connection: { system } }: LicenseReading,
  { days }: StateDaysReading,
): Promise<StateDayItem<StateDay>[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const stored = await readStateDays(table, crbId, [first.date, last.date], { consistent: true });
  const own = stored.filter((each) => each.licenseNumber === licenseNumber);
  const byDate = new Map(own.map((each) => [each.day.date, each as StateDayItem<StateDay> & StoredStateDay]));
  return days.map((day) => ({ licenseNumber, system, ...confirmStateDay(byDate.get(day.date), day) }));
}

/** Where the next reading begins: days that are not complete are read again, even if no receipt changes. */
function afterReading(days: readonly StateDayItem<StateDay>[], { asOf, unreadFrom }: StateDaysReading) {
  const open = days.find(({ day, unconfirmed }) => !day.complete || unconfirmed)?.day.date;
  const [againFrom = null] = [unreadFrom, open].filter((date) => typeof date === "string").sort();
  return { readAt: asOf, againFrom };
}
