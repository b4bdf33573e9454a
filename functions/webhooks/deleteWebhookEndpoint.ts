import { deleteWebhookEndpoint } from "../../shared/api/operations/webhooks.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { requireEndpoint } from "../../shared/domain/webhooks/endpoint.ts";
import { deleteEndpointJournaled } from "../../shared/domain/webhooks/journaledEndpointChanges.ts";
import { toEndpointResponse } from "../../shared/domain/webhooks/toEndpointResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteWebhookEndpoint, async ({ path }) => {
  const found = await requireEndpoint(serviceTable(), path.sp_id, path.endpoint_id);
  // The response is created before the deletion, because it includes the delivery position, which the deletion removes.
  const ended = await toEndpointResponse(serviceTable(), { ...found, enabled: false });
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  await deleteEndpointJournaled(stores, path.sp_id, path.endpoint_id);
  return json(ended);
});
