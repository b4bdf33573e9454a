import { getWebhookEndpoint } from "../../shared/api/operations/webhooks.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { endpointAnswer } from "../../shared/webhooks/answer.ts";
import { existingEndpoint } from "../../shared/webhooks/endpoint.ts";

export const handler = endpoint(getWebhookEndpoint, async ({ path }) => {
  const found = await existingEndpoint(serviceTable(), path.sp_id, path.endpoint_id);
  return json(await endpointAnswer(serviceTable(), found));
});
