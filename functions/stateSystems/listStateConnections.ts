import { listStateConnections } from "../../shared/api/operations/stateSystems.ts";
import { listStateConnections as read } from "../../shared/domain/stateSystems/readStateConnections.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listStateConnections, async ({ path, query: { offset, limit }, principal }) => {
  const all = await read(serviceTable(), path.crb_id, principal.owner.kind === "invitedUser");
  const records = all.slice(offset, offset + limit).map((connection) => JSON.stringify(connection));
  return list({ total: all.length, records }, offset);
});
