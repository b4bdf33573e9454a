import { toPerson } from "../../api/schemas/person.ts";
import type { WebhookEndpoint } from "../../api/schemas/webhookEndpoint.ts";
import type { Table } from "../../store/client.ts";
import type { ShardState } from "../../store/eventLog/sequenceEvents.ts";
import { readProgress } from "./deliveryProgress.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * An endpoint as the API returns it (docs/spec.md#webhooks), with its delivery progress and without its secrets.
 *
 * @param heads the shards of the service provider. Callers that return several endpoints read the shards once and pass them
 *   here
 */
export async function toEndpointResponse(
  table: Table,
  endpoint: Endpoint,
  heads?: readonly ShardState[],
): Promise<WebhookEndpoint> {
  const { id, url, description, enabled } = endpoint;
  return {
    id,
    url,
    description,
    event_types: [...endpoint.eventTypes],
    enabled,
    created_date: endpoint.createdDate,
    created_by: endpoint.createdBy,
    created_by_person: toPerson(endpoint.createdByPerson),
    changed_by: endpoint.changedBy,
    changed_by_person: toPerson(endpoint.changedByPerson),
    ...(await readProgress(table, endpoint, heads)),
  };
}
