import { listWebhookEndpoints } from "../../shared/api/operations/webhooks.ts";
import { readEndpoints } from "../../shared/domain/webhooks/endpoint.ts";
import { toEndpointResponse } from "../../shared/domain/webhooks/toEndpointResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readShards } from "../../shared/store/eventLog/sequenceEvents.ts";

export const handler = endpoint(listWebhookEndpoints, async ({ path }) => {
  const [endpoints, heads] = await Promise.all([
    readEndpoints(serviceTable(), path.sp_id),
    readShards(serviceTable(), path.sp_id),
  ]);
  const answers = await Promise.all(endpoints.map((one) => toEndpointResponse(serviceTable(), one, heads)));
  return list({ total: answers.length, records: answers.map((answer) => JSON.stringify(answer)) }, 0);
});
