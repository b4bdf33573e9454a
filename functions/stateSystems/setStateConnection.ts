import { setStateConnection } from "../../shared/api/operations/stateSystems.ts";
import { toPerson } from "../../shared/api/schemas/person.ts";
import { setStateConnection as connect } from "../../shared/domain/crbs/setStateConnection.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(setStateConnection, async ({ path, body, principal }) => {
  const kind = principal.owner.kind === "invitedUser" ? "invited_user" : "service_provider";
  const by = { kind, id: principal.clientId, person: toPerson(principal.person) } as const;
  const license = { crbId: path.crb_id, licenseNumber: path.license_number, by };
  return json(await connect(serviceTable(), license, body));
});
