import { replayWebhookEndpoint } from "../../shared/api/operations/webhookDeliveries.ts";
import { replayEndpoint } from "../../shared/domain/webhooks/replayEndpoint.ts";
import { toEndpointResponse } from "../../shared/domain/webhooks/toEndpointResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(replayWebhookEndpoint, async ({ path, body }) => {
  const table = serviceTable();
  const replayed = await replayEndpoint(table, path.sp_id, path.endpoint_id, new Date(body.from));
  return json(await toEndpointResponse(table, replayed));
});
