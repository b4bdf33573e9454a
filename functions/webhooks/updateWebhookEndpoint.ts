import { updateWebhookEndpoint } from "../../shared/api/operations/webhooks.ts";
import { requireEventScope } from "../../shared/auth/scopes.ts";
import type { Endpoint } from "../../shared/domain/webhooks/endpoint.ts";
import { updateEndpoint } from "../../shared/domain/webhooks/endpointChanges.ts";
import { normalUrl, urlIssues } from "../../shared/domain/webhooks/endpointUrl.ts";
import { hastenDeliveries } from "../../shared/domain/webhooks/requestDeliveries.ts";
import { toEndpointResponse } from "../../shared/domain/webhooks/toEndpointResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  updateWebhookEndpoint,
  async ({ path, principal, body: { url, event_types, ...others } }) => {
    const sent = {
      ...others,
      ...(url !== undefined && { url: normalUrl(url) }),
      ...(event_types && { eventTypes: event_types }),
    };
    const permit = ({ eventTypes }: Endpoint) => {
      if (sent.url !== undefined || sent.eventTypes) requireEventScope(principal.scopes, eventTypes);
    };
    const updated = await updateEndpoint(serviceTable(), path.sp_id, path.endpoint_id, sent, principal, permit);
    // Retries failed deliveries at once.
    if (updated.enabled) await hastenDeliveries(updated);
    return json(await toEndpointResponse(serviceTable(), updated));
  },
  (_, body) => urlIssues(body),
);
