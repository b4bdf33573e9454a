import { decideInsight } from "../../shared/api/operations/insights.ts";
import { decideInsight as decide } from "../../shared/domain/insights/decideInsight.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(decideInsight, async ({ path, body, principal }) =>
  json(await decide(serviceTable(), path, body, principal)),
);
