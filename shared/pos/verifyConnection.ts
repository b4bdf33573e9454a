import { invalid, ServiceError } from "../api/errors.ts";
import { type Connection, type Connector, PosError, type PosStore } from "./connector.ts";
import { noPosCheckLimit, type PosCheckLimit } from "./posCheckLimit.ts";

/**
 * Verifies a new connection: docs/spec.md#test-call.
 *
 * @param connection the new connection; its `locationId` is as the caller sent it, null if absent
 * @param locationRequired whether the POS type always needs a location. If false, a location is still required if the
 * credentials reach several stores and a pull reads only one of them (`isOneOfSeveral`)
 * @param limit limits the checks of the caller
 * @throws ServiceError "invalid" if the POS rejects the credentials or has no such location; "unavailable" if the POS
 * cannot be reached; "throttled" if the limit is reached
 */
export async function verifyConnection(
  connector: Connector,
  connection: Connection,
  locationRequired: boolean,
  limit: PosCheckLimit = noPosCheckLimit,
): Promise<void> {
  const stores = await storesOf(connector, connection, limit);
  const { locationId } = connection;
  const isRequired = locationRequired || stores.some(({ isOneOfSeveral }) => isOneOfSeveral);
  if (locationId === null && !isRequired) return;
  if (!locationId) throw wrongLocation("is required; choose one of data.locations", stores);
  if (!stores.some(({ id, otherId }) => id === locationId || otherId === locationId)) {
    throw wrongLocation("is not a location of the POS; choose one of data.locations", stores);
  }
}

async function storesOf(connector: Connector, connection: Connection, limit: PosCheckLimit): Promise<PosStore[]> {
  try {
    return await limit(() => connector.verify(connection));
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    if (error.failure === "credentialsRefused") {
      throw invalid({ "body.pos_info.pos_credentials": { message: "are rejected by the POS; check each of them" } });
    }
    throw new ServiceError("unavailable", {
      code: "pos_unavailable",
      message: "The POS cannot be reached. Try again after Retry-After.",
      ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    });
  }
}

function wrongLocation(message: string, stores: readonly PosStore[]): ServiceError {
  const locations = stores.map(({ id, name, address }) => ({ id, name, address }));
  return new ServiceError("invalid", { fields: { "body.pos_info.location_id": { message } }, data: { locations } });
}
