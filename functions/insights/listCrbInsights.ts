import { listCrbInsights } from "../../shared/api/operations/insights.ts";
import { listCrbInsights as read, readJudged } from "../../shared/domain/insights/listInsights.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listCrbInsights, async ({ path: { crb_id: crbId }, query }) => {
  const [found, judged] = await Promise.all([read(serviceTable(), crbId, query), readJudged(serviceTable(), crbId)]);
  return page(found, judged);
});
