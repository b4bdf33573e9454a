import { notFound } from "../../api/errors.ts";
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
  toStateConnection,
} from "../../store/stateConnections.ts";
import { type Clock, systemClock } from "../../time/clock.ts";

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
 * Erases the connection of a license and its key. The state days stay.
 *
 * @returns the connection as it was
 * @throws ServiceError "notFound" if the license has no connection
 */
export async function deleteStateConnection(
  table: Table,
  crbId: string,
  licenseNumber: string,
  { forUser, clock = systemClock }: { forUser: boolean; clock?: Clock },
): Promise<StateConnection> {
  return retryOnConflict(clock, async () => {
    const connections = await readStateConnections(table, crbId);
    const { [licenseNumber]: _, ...licenses } = connections.licenses;
    const ended = stored(connections.licenses, licenseNumber);
    const key = { expression: "REMOVE #key", names: { "#key": keyAttribute(licenseNumber) } };
    await table.transact([
      connectionsWrite(table, { ...connections, licenses }),
      table.updateWrite(stateKeysKey(crbId), key),
    ]);
    return toStateConnection(licenseNumber, ended, forUser);
  });
}

/** Erases all connections and keys of a CRB. */
export async function removeStateConnections(table: Table, crbId: string, clock: Clock): Promise<void> {
  await retryOnConflict(clock, () => table.transact(connectionsEndWrites(table, crbId)));
}

function stored(licenses: Readonly<Record<string, StoredConnection>>, licenseNumber: string): StoredConnection {
  if (!Object.hasOwn(licenses, licenseNumber)) throw notFound("connection of this license");
  return licenses[licenseNumber] as StoredConnection;
}
