import { listWebhookDeliveries } from "../../shared/api/operations/webhookDeliveries.ts";
import { readDeliveries } from "../../shared/domain/webhooks/deliveryLog.ts";
import { requireEndpoint } from "../../shared/domain/webhooks/endpoint.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listWebhookDeliveries, async ({ path, query }) => {
  const table = serviceTable();
  await requireEndpoint(table, path.sp_id, path.endpoint_id);
  return list(await readDeliveries(table, path.endpoint_id, query), query.offset);
});
