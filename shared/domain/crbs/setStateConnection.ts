import type * as z from "zod";
import { type MetrcState, metrcStates, type StateSystem } from "../../api/enumerations.ts";
import { conflict, invalid, ServiceError } from "../../api/errors.ts";
import type { StateConnection, stateConnectionRequest } from "../../api/schemas/stateSystem.ts";
import { seal } from "../../platform/crypto/sealing.ts";
import { PosError } from "../../pos/connector.ts";
import { type MetrcKeyCheck, verifyMetrcKey } from "../../pos/metrc/verifyMetrcKey.ts";
import { metrcVendorKey } from "../../pos/partnerKeys.ts";
import { limitPosChecks, limitPosChecksOfUser } from "../../pos/posCheckLimit.ts";
import { exists, type Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import { stateKeysKey } from "../../store/keys/stateSystems.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import {
  connectionsWrite,
  keyAttribute,
  readStateConnections,
  type StateActor,
  type StoredConnection,
} from "../../store/stateConnections.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { linkedStates, mayRead } from "../stateSystems/permission.ts";
import { toStateConnection } from "../stateSystems/readStateConnections.ts";
import { associatedCrb } from "./associatedCrb.ts";

/** Maximum number of connections of a CRB (docs/spec.md#limits). */
const maxConnections = 10;

type MetrcRefusal = Extract<MetrcKeyCheck, { status: "refused" }>["reason"];

const refusals: Readonly<Record<MetrcRefusal, string>> = {
  // A wrong vendor key has the same response.
  key: "is rejected by Metrc: check it, and whether its user is still active. If both are right, contact the operator",
  license_missing: "does not reach the license: send the key of a user with access to it",
  may_manage_sales: "may manage sales: send the key of a user who may only view them",
  no_view_sales: "may not view sales: let the business give its user this permission",
};

/**
 * Connects a license of a CRB to the state's system, or replaces the key of the connection
 * (docs/spec.md#connections-to-a-states-system). The system confirms the key first.
 *
 * @throws ServiceError "notFound" if the association has ended; "conflict" without consent, if the license is not linked, or
 *   at the limit; "invalid" if the system does not fit the license or rejects the key; "throttled" after too many rejected
 *   keys; "unavailable" if the system does not confirm the key
 */
export async function setStateConnection(
  table: Table,
  { crbId, licenseNumber, by }: { crbId: string; licenseNumber: string; by: StateActor },
  { system, user_key: userKey }: z.output<typeof stateConnectionRequest>,
  clock: Clock = systemClock,
): Promise<StateConnection> {
  const { crb } = await permitted(table, crbId, system);
  const state = await stateOfLicense(table, crb, licenseNumber);
  const vendorKey = isMetrcState(state) ? await metrcVendorKey(state) : "";
  if (!isMetrcState(state) || !vendorKey) {
    const message = isMetrcState(state)
      ? `cannot be read in ${state} yet: this stage has no vendor key of Metrc for it. Contact the operator`
      : `must be the system of the state of the license; ${state} does not use Metrc`;
    throw invalid({ "body.system": { message, value: system } });
  }
  const limit =
    by.kind === "invited_user"
      ? limitPosChecksOfUser(table, crbId, crb.createdBy, clock)
      : limitPosChecks(table, by.id, clock);
  const verify = async () => {
    const result = await verifyMetrcKey({ state, vendorKey, userKey, licenseNumber });
    if (result.status === "refused") throw new RefusedKeyError(result.reason);
    if (result.status === "unknown" && result.reason === "unavailable") throw unconfirmed(result.retryAfter);
    return result.status === "ok";
  };
  const isViewOnly = await limit(verify).catch((error) => {
    if (error instanceof RefusedKeyError) throw invalid({ "body.user_key": { message: refusals[error.reason] } });
    throw error instanceof PosError ? unconfirmed(error.retryAfter) : error;
  });
  const sealed = await seal(crbId, { user_key: userKey });
  return retryOnConflict(clock, async () => {
    const { item, crb: present } = await permitted(table, crbId, system);
    await stateOfLicense(table, present, licenseNumber);
    const stored = await readStateConnections(table, crbId);
    const before = stored.licenses[licenseNumber];
    if (!before && Object.keys(stored.licenses).length >= maxConnections) {
      throw conflict(
        "state_connection_limit",
        `A CRB can have ${maxConnections} connections to state systems. Delete one of them first.`,
      );
    }
    const now = clock.now().toISOString();
    const connection: StoredConnection = {
      system,
      state,
      connectedAt: now,
      firstConnectedAt: before?.firstConnectedAt ?? now,
      by,
      isViewOnly,
      due: now,
      readAt: before?.readAt ?? null,
      againFrom: before?.againFrom ?? null,
      error: null,
      failed: 0,
    };
    const { version } = item as { version?: number };
    await table.transact([
      // A withdrawal of consent, or the end of the association, erases the connections that it has read. The new version makes
      // it read again.
      table.updateWrite(
        crbKey(crbId),
        {
          expression: "SET #version = :next",
          names: { "#version": "version" },
          values: { ":next": (version ?? 0) + 1, ":version": version },
        },
        "#version = :version",
      ),
      table.checkWrite(associationKey(present.serviceProviderId, crbId), exists),
      connectionsWrite(table, { ...stored, licenses: { ...stored.licenses, [licenseNumber]: connection } }),
      table.setWrite(stateKeysKey(crbId), { [keyAttribute(licenseNumber)]: sealed }),
    ]);
    return toStateConnection(licenseNumber, connection, by.kind === "invited_user");
  });
}

/** Counts as rejected POS credentials (`posCheckLimit.ts`). */
class RefusedKeyError extends PosError {
  readonly reason: MetrcRefusal;

  constructor(reason: MetrcRefusal) {
    super("credentialsRefused");
    this.reason = reason;
  }
}

const unconfirmed = (retryAfter: number | undefined) =>
  new ServiceError("unavailable", {
    code: "state_system_unavailable",
    message: "Metrc did not confirm the key. Try again after Retry-After.",
    ...(retryAfter !== undefined && { retryAfter }),
  });

/** @throws ServiceError "conflict" unless the business has consented to terms that name the system; "notFound" */
async function permitted(table: Table, crbId: string, system: StateSystem) {
  const associated = await associatedCrb(table, crbId);
  if (!mayRead(associated.crb, system)) {
    throw conflict(
      "consent_missing",
      `The business has not consented to terms that name ${system}. Ask its users to consent to the current terms.`,
    );
  }
  return associated;
}

const isMetrcState = (state: string): state is MetrcState => (metrcStates as readonly string[]).includes(state);

/** @throws ServiceError "conflict" if no license with this number is linked to the CRB */
async function stateOfLicense(table: Table, crb: Crb, licenseNumber: string) {
  const state = (await linkedStates(table, crb)).get(licenseNumber);
  if (state) return state;
  throw conflict("license_not_linked", "No license with this number is linked to the CRB. Link the license first.");
}
