import { followsFromSales } from "../../shared/api/enumerations.ts";
import { listEvents } from "../../shared/api/operations/events.ts";
import { hasScope } from "../../shared/auth/scopes.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { events } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readEvents } from "../../shared/store/eventLog/readEvents.ts";

export const handler = endpoint(listEvents, async ({ path, query, principal }) => {
  const page = await readEvents(serviceTable(), path.sp_id, query);
  if (hasScope(principal.scopes, "point-of-sale:read")) return events(page);
  // The cursor comes after the omitted events, so the caller reads each place once.
  return events({ ...page, events: page.events.filter((text) => !followsFromSales(JSON.parse(text).type)) });
});
