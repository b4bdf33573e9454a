import { listCrbInsights } from "../../shared/api/operations/insights.ts";
import { listCrbInsights as read } from "../../shared/domain/insights/listInsights.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listCrbInsights, async ({ path, query }) =>
  page(await read(serviceTable(), path.crb_id, query)),
);
