import { onlyEndpointTest, testWebhookEndpoint } from "../../shared/api/operations/webhookDeliveries.ts";
import { sendTestDelivery } from "../../shared/domain/webhooks/sendTestDelivery.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { isSimulated } from "../../shared/pos/isSimulated.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  testWebhookEndpoint,
  async ({ path, body }) => json(await sendTestDelivery(serviceTable(), path.sp_id, path.endpoint_id, body.event_type)),
  async (_path, body) => {
    const type = (body as { event_type?: unknown } | null | undefined)?.event_type;
    const isAllowed = isSimulated() || type === undefined || type === "endpoint.test";
    return isAllowed ? {} : { "body.event_type": { message: onlyEndpointTest } };
  },
);
