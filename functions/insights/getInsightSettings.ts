import { getInsightSettings } from "../../shared/api/operations/insights.ts";
import { readInsightSettings } from "../../shared/domain/insights/insightSettings.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getInsightSettings, async ({ path }) =>
  json(await readInsightSettings(serviceTable(), path.sp_id)),
);
