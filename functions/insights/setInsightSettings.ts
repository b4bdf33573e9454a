import { setInsightSettings } from "../../shared/api/operations/insights.ts";
import { setInsightSettings as set } from "../../shared/domain/insights/insightSettings.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(setInsightSettings, async ({ path, body }) =>
  json(await set(serviceTable(), path.sp_id, body)),
);
