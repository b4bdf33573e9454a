import { getWebhookEndpoint } from "../../shared/api/operations/webhooks.ts";
import { requireEndpoint } from "../../shared/domain/webhooks/endpoint.ts";
import { toEndpointResponse } from "../../shared/domain/webhooks/toEndpointResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getWebhookEndpoint, async ({ path }) => {
  const found = await requireEndpoint(serviceTable(), path.sp_id, path.endpoint_id);
  return json(await toEndpointResponse(serviceTable(), found));
});
