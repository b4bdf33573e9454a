import { rotateWebhookSecret } from "../../shared/api/operations/webhooks.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { rotateSecretJournaled } from "../../shared/domain/webhooks/journaledEndpointChanges.ts";
import { toEndpointResponse } from "../../shared/domain/webhooks/toEndpointResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(rotateWebhookSecret, async ({ path, principal }) => {
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const rotated = await rotateSecretJournaled(stores, path.sp_id, path.endpoint_id, principal);
  return json({ ...(await toEndpointResponse(serviceTable(), rotated.endpoint)), secret: rotated.secret });
});
