import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { invalid, ServiceError } from "../api/errors.ts";
import { posTypes } from "../api/pos/posTypes.ts";
import type { posInfo } from "../api/schemas/crbCreation.ts";
import { seal } from "../privacy/sealing.ts";
import type { Table } from "../table/client.ts";
import type { Crb } from "../table/crb.ts";
import { crbChange } from "../table/crbs.ts";
import { commit } from "../table/events/commit.ts";
import { posCredentialsKey } from "../table/keys.ts";
import { findOrganisation } from "../table/organisations.ts";
import { untilCommitted } from "../table/untilCommitted.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { alreadyConnected } from "./alreadyConnected.ts";
import { associatedCrb } from "./associatedCrb.ts";
import { enteredAndChecked, fittingCredentials, proveCredentials } from "./enteredCredentials.ts";

/**
 * Connects a CRB that was invited to its POS, with the checks 5 to 9 of a creation (contract 7.2). The connection and the
 * sealed credentials are stored together, or not at all.
 *
 * @throws ServiceError "notFound" for a CRB that is associated with nobody; "conflict" for one that is connected, or
 * whose organisation is; "invalid" when a check fails; "unavailable" when the POS cannot be reached
 */
export async function connectPos(
  table: Table,
  crbId: string,
  info: z.output<typeof posInfo>,
  clock: Clock = systemClock,
): Promise<void> {
  const { pos_type: posType, location_id: locationId = null } = info;
  const { businessType } = posTypes[posType];
  const credentials = fittingCredentials(posType, info.pos_credentials);
  const now = clock.now();
  const { crb } = await unconnected(table, crbId);
  const connected = ({ record, ...rest }: Crb): Crb => ({
    ...rest,
    record: {
      ...record,
      business_type: businessType,
      pos_configs: enteredAndChecked(record.pos_configs, posType, now),
    },
    connection: { posType, locationId, connectedAt: now.toISOString() },
  });
  if (crb.record.business_type !== null && crb.record.business_type !== businessType) {
    throw invalid({ "body.pos_info.pos_type": { message: `must serve ${crb.record.business_type} business` } });
  }
  await proveCredentials(connected(crb), posType, credentials);
  const sealed = await seal(crbId, credentials);
  await storeConnection(table, crbId, connected, [table.putWrite({ ...posCredentialsKey(crbId), sealed })], clock);
}

/**
 * Stores the connection of a CRB that has none: check 9 of contract 7.2, and what else belongs to it, in one transaction.
 *
 * @param connected the CRB as it is once connected
 * @throws ServiceError "notFound" and "conflict" as `connectPos`
 */
export async function storeConnection(
  table: Table,
  crbId: string,
  connected: (crb: Crb) => Crb,
  writes: readonly TransactWriteItem[],
  clock: Clock,
): Promise<void> {
  await untilCommitted(clock, async () => {
    const { item, crb: present } = await unconnected(table, crbId);
    const same = await findOrganisation(table, present.serviceProviderId, present.record, crbId);
    if (same) throw await alreadyConnected(table, same, present.record.name);
    const change = await crbChange(table, item, connected(present), clock.now(), { unlessConnected: true });
    await commit(table, { ...change, writes: [...change.writes, ...writes] }, clock);
  });
}

async function unconnected(table: Table, crbId: string) {
  const associated = await associatedCrb(table, crbId);
  if (associated.crb.connection) {
    throw new ServiceError("conflict", { message: "The CRB is connected to a POS already." });
  }
  return associated;
}
