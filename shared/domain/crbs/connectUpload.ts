import { isUploaded, uploadedPosTypes } from "../../api/pos/posTypes.ts";
import type { Connection } from "../../pos/connector.ts";
import { toConnection } from "../../pos/openConnection.ts";
import { applyPosConfigMove } from "../../pos/posConfigStatus.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { readCrb } from "../../store/crbs.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { storeConnection } from "./connectPos.ts";

/**
 * Connects a CRB whose records are uploaded. There are no credentials to check, so the POS configuration is `Pending` until the
 * first upload succeeds (docs/spec.md#pos-status).
 *
 * @throws ServiceError "notFound" if the CRB has no association; "conflict" if the CRB or its organization is connected
 */
export async function connectUpload(table: Table, crbId: string, clock: Clock = systemClock): Promise<void> {
  const now = clock.now();
  const connected = ({ record, ...rest }: Crb): Crb => {
    const posType = uploadedPosTypeOf({ record });
    const pos_configs = applyPosConfigMove(record.pos_configs, posType, "enter", now) ?? record.pos_configs;
    return {
      ...rest,
      record: { ...record, pos_configs },
      connection: { posType, locationId: null, connectedAt: now.toISOString() },
    };
  };
  await storeConnection(table, crbId, connected, [], { clock });
}

/** The connection of a CRB whose records are uploaded. Before the CRB is connected, returns the connection that it will get. */
export function uploadConnectionOf(crb: Crb): Connection {
  const { connection = null } = crb;
  const upload = { posType: uploadedPosTypeOf(crb), locationId: null, connectedAt: new Date().toISOString() };
  return toConnection({ ...crb, connection: connection ?? upload }, {}) as Connection;
}

/**
 * Whether the CRB exists and has a connection, and its records are uploaded. The end of the association and a withdrawal of
 * consent end the connection, so the result is false afterwards.
 */
export async function takesUploads(table: Table, crbId: string): Promise<boolean> {
  const crb = await readCrb(table, crbId, { consistent: true });
  return crb?.connection != null && isUploaded(crb.connection.posType) && !crb.endedAt;
}

function uploadedPosTypeOf({ record }: Pick<Crb, "record">) {
  return uploadedPosTypes[record.business_type ?? "retail"];
}
