import { listEvents } from "../../shared/api/operations/events.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { events } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readEvents } from "../../shared/store/eventLog/readEvents.ts";

export const handler = endpoint(listEvents, async ({ path, query }) =>
  events(await readEvents(serviceTable(), path.sp_id, query)),
);
