import type * as z from "zod";
import { conflict, ServiceError } from "../../api/errors.ts";
import type { posInfo } from "../../api/schemas/crbCreation.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { limitPosChecksOfUser } from "../../pos/posCheckLimit.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { requestReplication } from "../replication/requestReplications.ts";
import { associatedCrb } from "./associatedCrb.ts";
import { connectPos } from "./connectPos.ts";
import { reconnectPos } from "./reconnectPos.ts";

/**
 * Connects a CRB to its POS on behalf of a user (docs/spec.md#work-of-invited-users). If the CRB is connected to this POS type
 * already, changes the credentials of the connection. Then requests a replication; if the queue fails, the schedule requests
 * it.
 *
 * @throws ServiceError "conflict" without consent; "throttled" if POS systems have rejected too many credentials from users of
 *   the CRB; otherwise the errors of `connectPos`, with the field names of the user's request
 */
export async function connectByUser(
  table: Table,
  crbId: string,
  info: z.output<typeof posInfo>,
  clock: Clock = systemClock,
): Promise<void> {
  const { crb } = await associatedCrb(table, crbId);
  rejectWithoutConsent(crb);
  const limit = limitPosChecksOfUser(table, crbId, crb.createdBy, clock);
  const work =
    crb.connection?.posType === info.pos_type
      ? reconnectPos(table, crbId, info, clock, rejectWithoutConsent, limit)
      : connectPos(table, crbId, info, { clock, permit: rejectWithoutConsent, replaces: true, limit });
  await work.catch((error) => {
    throw asOwn(error);
  });
  await requestReplication(crbId).catch((error) =>
    log.error("replication not queued", { crb_id: crbId, error: describeError(error) }),
  );
}

function rejectWithoutConsent({ consent }: Crb): void {
  if (!consent)
    throw conflict("consent_missing", "The business has not given consent, or has withdrawn it: give consent first.");
}

/** Changes an error for a user: uses the field names of the user's request, and removes the names of other businesses. */
function asOwn(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { fields, data, ...details } = error.details;
  const isOthers = error.kind === "conflict";
  const named = Object.entries(fields ?? {}).map(([name, field]) => [name.replace("body.pos_info.", "body."), field]);
  return new ServiceError(error.kind, {
    ...details,
    message: error.message,
    ...(fields && { fields: Object.fromEntries(named) }),
    ...(data !== undefined && !isOthers && { data }),
  });
}
