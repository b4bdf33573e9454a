import type * as z from "zod";
import { conflict, invalid } from "../../api/errors.ts";
import type { posInfo } from "../../api/schemas/crbCreation.ts";
import { seal } from "../../platform/crypto/sealing.ts";
import type { PosCheckLimit } from "../../pos/posCheckLimit.ts";
import { type Table, unchanged } from "../../store/client.ts";
import { type Crb, withoutFailures } from "../../store/crb.ts";
import { crbChange } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { crbKey, posCredentialsKey } from "../../store/keys/crbs.ts";
import { firstReplicationWrite } from "../../store/replicationDue.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { restartWrites } from "../replication/restartWrites.ts";
import { associatedCrb } from "./associatedCrb.ts";
import { acceptPosConfig, requireValidCredentials, verifyCredentials } from "./verifyCredentials.ts";

/**
 * Changes the POS credentials of a connected CRB, after the POS has accepted them in a test call. One transaction stores the
 * credentials, the status of the POS configuration (docs/spec.md#pos-status) and the due time of a replication. The POS type
 * of the connection stays the same, because record ids are derived from it.
 *
 * @param info credentials for the connected POS type. If a location is given, replication reads this location from now on
 * @param permit called with the stored CRB before each step; throws if the CRB may not be connected
 * @param limit the caller's limit on checks of POS credentials; no limit if undefined
 * @throws ServiceError "notFound" if the CRB has no association; "conflict" if the CRB is not connected; "invalid" if a check
 *   fails; "unavailable" if the POS cannot be reached
 */
export async function reconnectPos(
  table: Table,
  crbId: string,
  info: z.output<typeof posInfo>,
  clock: Clock = systemClock,
  permit: (crb: Crb) => void = () => undefined,
  limit?: PosCheckLimit,
): Promise<void> {
  const { pos_type: posType, location_id } = info;
  const credentials = requireValidCredentials(posType, info.pos_credentials);
  const permitted = async () => {
    const present = await connected(table, crbId);
    permit(present.crb);
    return present;
  };
  const { crb, connection } = await permitted();
  if (connection.posType !== posType) {
    throw invalid({
      "body.pos_info.pos_type": { message: `must be ${connection.posType}, the POS type of the connection` },
    });
  }
  const locationId = location_id ?? connection.locationId;
  const tried = { ...crb, connection: { ...connection, locationId } };
  await verifyCredentials(tried, posType, credentials, permitted, limit);
  const sealed = await seal(crbId, credentials);
  await retryOnConflict(clock, async () => {
    const present = await permitted();
    if (present.connection.connectedAt !== connection.connectedAt) {
      throw conflict("connection_changed", "The connection was changed in the meantime. Read the CRB and try again.");
    }
    const elsewhere = present.connection.locationId !== locationId;
    // Without a location, the credentials decide which stores are read. New credentials may then read other stores, so discard
    // the replication progress.
    const anew = elsewhere || locationId === null;
    const now = clock.now();
    const pos_configs = acceptPosConfig(present.crb.record.pos_configs, posType, now);
    const { sandbox } = present.connection;
    const after: Crb = {
      ...present.crb,
      record: { ...present.crb.record, pos_configs },
      connection: { ...present.connection, locationId, ...(sandbox && { sandbox: withoutFailures(sandbox) }) },
    };
    // If the CRB does not change, the transaction only checks its version.
    const isChanged = elsewhere || pos_configs !== present.crb.record.pos_configs || sandbox !== undefined;
    const { writes, events } = isChanged
      ? await crbChange(table, present.item, after, now)
      : { writes: [table.checkWrite(crbKey(crbId), unchanged("version", present.item.version))], events: [] };
    const credentialsWrite = table.putWrite({ ...posCredentialsKey(crbId), sealed });
    const restart = [
      ...(await restartWrites(table, crbId, { isNewSource: anew })),
      firstReplicationWrite(table, crbId, now),
    ];
    await commitWithEvents(table, { writes: [...writes, credentialsWrite, ...restart], events }, clock);
  });
}

/** @throws ServiceError "notFound" if the CRB has no association; "conflict" if it is not connected */
async function connected(table: Table, crbId: string) {
  const { item, crb } = await associatedCrb(table, crbId);
  if (!crb.connection) throw conflict("pos_not_connected", "The CRB is not connected to a POS.");
  return { item, crb, connection: crb.connection };
}
