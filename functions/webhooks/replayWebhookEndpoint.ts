import { replayWebhookEndpoint } from "../../shared/api/operations/webhookDeliveries.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { endpointAnswer } from "../../shared/webhooks/answer.ts";
import { replayEndpoint } from "../../shared/webhooks/replay.ts";

export const handler = endpoint(replayWebhookEndpoint, async ({ path, body }) => {
  const table = serviceTable();
  const replayed = await replayEndpoint(table, path.sp_id, path.endpoint_id, new Date(body.from));
  return json(await endpointAnswer(table, replayed));
});
