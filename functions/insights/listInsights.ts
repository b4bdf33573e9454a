import { listInsights } from "../../shared/api/operations/insights.ts";
import { listInsights as read } from "../../shared/domain/insights/listInsights.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listInsights, async ({ path, query }) =>
  page(await read(serviceTable(), path.sp_id, query)),
);
