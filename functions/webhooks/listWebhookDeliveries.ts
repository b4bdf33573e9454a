import { notFound } from "../../shared/api/errors.ts";
import { listWebhookDeliveries } from "../../shared/api/operations/webhookDeliveries.ts";
import { list } from "../../shared/endpoint/answer.ts";
import { endpoint } from "../../shared/endpoint/endpoint.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { readDeliveries } from "../../shared/webhooks/deliveryLog.ts";
import { readEndpoint } from "../../shared/webhooks/endpoint.ts";

export const handler = endpoint(listWebhookDeliveries, async ({ path, query }) => {
  const table = serviceTable();
  if (!(await readEndpoint(table, path.sp_id, path.endpoint_id))) throw notFound();
  return list(await readDeliveries(table, path.endpoint_id, query), query.offset);
});
