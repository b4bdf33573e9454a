import { createWebhookEndpoint } from "../../shared/api/operations/webhooks.ts";
import { requireEventScope } from "../../shared/auth/scopes.ts";
import { createEndpoint } from "../../shared/domain/webhooks/createEndpoint.ts";
import { normalUrl, urlIssues } from "../../shared/domain/webhooks/endpointUrl.ts";
import { toEndpointResponse } from "../../shared/domain/webhooks/toEndpointResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  createWebhookEndpoint,
  async ({ path, headers, principal, body: { url, description = "", event_types: eventTypes = [] } }) => {
    requireEventScope(principal.scopes, eventTypes);
    const sent = { url: normalUrl(url), description, eventTypes };
    const key = headers["idempotency-key"];
    const created = await createEndpoint(serviceTable(), path.sp_id, sent, principal, key);
    return json({ ...(await toEndpointResponse(serviceTable(), created.endpoint)), secret: created.secret });
  },
  (_, body) => urlIssues(body),
);
