import { deleteStateConnection } from "../../shared/api/operations/stateSystems.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { deleteStateConnectionJournaled } from "../../shared/domain/stateSystems/readStateConnections.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteStateConnection, async ({ path, principal }) => {
  const forUser = principal.owner.kind === "invitedUser";
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  return json(await deleteStateConnectionJournaled(stores, path.crb_id, path.license_number, { forUser }));
});
