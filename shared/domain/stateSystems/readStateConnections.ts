import { notFound } from "../../api/errors.ts";
import { toPerson } from "../../api/schemas/person.ts";
import type { StateConnection } from "../../api/schemas/stateSystem.ts";
import type { Table } from "../../store/client.ts";
import { stateKeysKey } from "../../store/keys/stateSystems.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import {
  connectionsEndWrites,
  connectionsWrite,
  keyAttribute,
  readStateConnections,
  type StoredConnection,
} from "../../store/stateConnections.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { writeToJournal } from "../documents/journal.ts";

/** The record that callers see. @param forUser for an invited user, who must not see persons of the service provider */
export function toStateConnection(
  licenseNumber: string,
  { system, state, connectedAt, by, isViewOnly, readAt, error }: StoredConnection,
  forUser: boolean,
): StateConnection {
  const isHidden = forUser && by.kind === "service_provider";
  return {
    license_number: licenseNumber,
    system,
    state,
    status: error ? "failing" : readAt ? "current" : "waiting",
    error,
    data_as_of: readAt,
    view_only: isViewOnly || null,
    connected_date: connectedAt,
    connected_by: isHidden ? null : by.id,
    connected_by_person: isHidden ? null : toPerson(by.person),
    connected_by_kind: by.kind,
  };
}

/** The connections of a CRB, by license number. */
export async function listStateConnections(table: Table, crbId: string, forUser: boolean): Promise<StateConnection[]> {
  const { licenses } = await readStateConnections(table, crbId);
  return Object.keys(licenses)
    .sort()
    .map((number) => toStateConnection(number, licenses[number] as StoredConnection, forUser));
}

/** @throws ServiceError "notFound" if the license has no connection */
export async function getStateConnection(
  table: Table,
  crbId: string,
  licenseNumber: string,
  forUser: boolean,
): Promise<StateConnection> {
  const { licenses } = await readStateConnections(table, crbId);
  return toStateConnection(licenseNumber, stored(licenses, licenseNumber), forUser);
}

/**
 * Writes the deletion to the journal, so that a replay can repeat it after a restore. Then erases the connection of a license
 * and its key. The state days stay.
 *
 * @returns the connection as it was
 * @throws ServiceError "notFound" if the license has no connection
 */
export async function deleteStateConnectionJournaled(
  { table, bucket }: { table: Table; bucket: Bucket },
  crbId: string,
  licenseNumber: string,
  { forUser, clock = systemClock }: { forUser: boolean; clock?: Clock },
): Promise<StateConnection> {
  const { licenses } = await readStateConnections(table, crbId);
  const { firstConnectedAt } = stored(licenses, licenseNumber);
  const entry = { kind: "disconnection", crb_id: crbId, first_connected_at: firstConnectedAt } as const;
  await writeToJournal(bucket, entry, clock.now());
  const ended = await deleteStateConnection(table, crbId, { licenseNumber, firstConnectedAt }, clock);
  if (!ended) throw noConnection();
  return toStateConnection(licenseNumber, ended, forUser);
}

/**
 * Erases the connection that was first made at an instant, and its key. A connection that was made after a deletion stays.
 *
 * @param licenseNumber the license of the connection; a replay does not know it, since the journal holds ids alone
 * @returns undefined if there is none
 */
export async function deleteStateConnection(
  table: Table,
  crbId: string,
  { licenseNumber, firstConnectedAt }: { licenseNumber?: string; firstConnectedAt: string },
  clock: Clock = systemClock,
): Promise<StoredConnection | undefined> {
  return retryOnConflict(clock, async () => {
    const connections = await readStateConnections(table, crbId);
    const [number, ended] =
      Object.entries(connections.licenses).find(
        ([its, each]) => each.firstConnectedAt === firstConnectedAt && its === (licenseNumber ?? its),
      ) ?? [];
    if (number === undefined) return undefined;
    const { [number]: _, ...licenses } = connections.licenses;
    const key = { expression: "REMOVE #key", names: { "#key": keyAttribute(number) } };
    await table.transact([
      connectionsWrite(table, { ...connections, licenses }),
      table.updateWrite(stateKeysKey(crbId), key),
    ]);
    return ended;
  });
}

/** Erases all connections and keys of a CRB. */
export async function removeStateConnections(table: Table, crbId: string, clock: Clock): Promise<void> {
  await retryOnConflict(clock, () => table.transact(connectionsEndWrites(table, crbId)));
}

const noConnection = () => notFound("connection of this license");

function stored(licenses: Readonly<Record<string, StoredConnection>>, licenseNumber: string): StoredConnection {
  if (!Object.hasOwn(licenses, licenseNumber)) throw noConnection();
  return licenses[licenseNumber] as StoredConnection;
}
