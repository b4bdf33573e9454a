import { testWebhookEndpoint } from "../../shared/api/operations/webhookDeliveries.ts";
import { sendTestDelivery } from "../../shared/domain/webhooks/sendTestDelivery.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(testWebhookEndpoint, async ({ path }) =>
  json(await sendTestDelivery(serviceTable(), path.sp_id, path.endpoint_id)),
);
