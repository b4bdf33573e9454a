import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { conflict, invalid } from "../../api/errors.ts";
import { posTypes } from "../../api/pos/posTypes.ts";
import type { posInfo } from "../../api/schemas/crbCreation.ts";
import { seal } from "../../platform/crypto/sealing.ts";
import type { PosCheckLimit } from "../../pos/posCheckLimit.ts";
import { applyPosConfigMove } from "../../pos/posConfigStatus.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { crbChange } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { posCredentialsKey } from "../../store/keys/crbs.ts";
import { findOrganization, idsOf } from "../../store/organizations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { restartWrites } from "../replication/restartWrites.ts";
import { associatedCrb } from "./associatedCrb.ts";
import { requireNotConnected } from "./requireNotConnected.ts";
import { acceptPosConfig, requireValidCredentials, verifyCredentials } from "./verifyCredentials.ts";

interface ConnectOptions {
  clock?: Clock;
  /** Called with the stored CRB before each step; throws if the CRB may not be connected. */
  permit?: (crb: Crb) => void;
  /** Whether an existing connection may be replaced. The records of the earlier POS stay. */
  replaces?: boolean;
  /** The caller's limit on checks of POS credentials; no limit if undefined. */
  limit?: PosCheckLimit | undefined;
}

/**
 * Connects an invited CRB to its POS, after checks 5 to 9 of docs/spec.md#checks-of-a-new-crb. One transaction stores the
 * connection and the sealed credentials.
 *
 * @throws ServiceError "notFound" if the CRB has no association; "conflict" if the CRB or its organization is connected, or its
 *   users have withdrawn consent; "invalid" if a check fails; "unavailable" if the POS cannot be reached
 */
export async function connectPos(
  table: Table,
  crbId: string,
  info: z.output<typeof posInfo>,
  { clock = systemClock, ...options }: ConnectOptions = {},
): Promise<void> {
  const { pos_type: posType, location_id: locationId = null } = info;
  const { businessType } = posTypes[posType];
  const credentials = requireValidCredentials(posType, info.pos_credentials);
  const now = clock.now();
  const { crb } = await connectable(table, crbId, options);
  const connected = ({ record, ...rest }: Crb): Crb => ({
    ...rest,
    record: {
      ...record,
      business_type: businessType,
      pos_configs: acceptPosConfig(withoutOther(record.pos_configs, rest.connection, now), posType, now),
    },
    connection: { posType, locationId, connectedAt: now.toISOString() },
  });
  if (crb.record.business_type !== null && crb.record.business_type !== businessType) {
    throw invalid({ "body.pos_info.pos_type": { message: `must serve ${crb.record.business_type} businesses` } });
  }
  await verifyCredentials(
    connected(crb),
    posType,
    credentials,
    () => connectable(table, crbId, options),
    options.limit,
  );
  const sealed = await seal(crbId, credentials);
  const writes = [table.putWrite({ ...posCredentialsKey(crbId), sealed })];
  await storeConnection(table, crbId, connected, writes, { clock, ...options });
}

/** The POS configurations of a CRB, after the configuration of the present connection is removed. */
function withoutOther(configs: Crb["record"]["pos_configs"], connection: Crb["connection"], now: Date) {
  const config = configs.find(({ name }) => name === connection?.posType);
  return (config && applyPosConfigMove(configs, config.name, "remove", now)) ?? configs;
}

/**
 * Stores the connection of a CRB and the given writes in one transaction, after the check of docs/spec.md#same-organization.
 * The records of an earlier connection stay, but its replication progress is discarded.
 *
 * @param connected returns the CRB with its new connection
 * @throws ServiceError "notFound" and "conflict" in the same cases as `connectPos`
 */
export async function storeConnection(
  table: Table,
  crbId: string,
  connected: (crb: Crb) => Crb,
  writes: readonly TransactWriteItem[],
  { clock = systemClock, ...options }: ConnectOptions,
): Promise<void> {
  await retryOnConflict(clock, async () => {
    const { item, crb: present } = await connectable(table, crbId, options);
    const same = await findOrganization(table, present.serviceProviderId, present.record, crbId);
    const checks = await requireNotConnected(table, idsOf(same));
    const change = await crbChange(table, item, connected(present), clock.now(), { same });
    const restart = await restartWrites(table, crbId, { isNewSource: true });
    await commitWithEvents(table, { ...change, writes: [...checks, ...change.writes, ...writes, ...restart] }, clock);
  });
}

async function connectable(table: Table, crbId: string, { permit, replaces = false }: Omit<ConnectOptions, "clock">) {
  const associated = await associatedCrb(table, crbId);
  const { crb } = associated;
  permit?.(crb);
  if (crb.connection && !replaces) throw conflict("pos_connected", "The CRB is already connected to a POS.");
  if (crb.withdrawal)
    throw conflict("consent_missing", "The users of the CRB have withdrawn consent. Ask them to give consent again.");
  return associated;
}
