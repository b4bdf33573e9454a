import { listStateDays } from "../../shared/api/operations/stateSystems.ts";
import { listStateDays as read } from "../../shared/domain/stateSystems/listStateDays.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listStateDays, async ({ path, query }) =>
  page(await read(serviceTable(), { spId: path.sp_id, crbId: path.crb_id }, query)),
);
