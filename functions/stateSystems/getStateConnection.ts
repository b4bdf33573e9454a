import { getStateConnection } from "../../shared/api/operations/stateSystems.ts";
import { getStateConnection as read } from "../../shared/domain/stateSystems/readStateConnections.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getStateConnection, async ({ path, principal }) => {
  const forUser = principal.owner.kind === "invitedUser";
  return json(await read(serviceTable(), path.crb_id, path.license_number, forUser));
});
